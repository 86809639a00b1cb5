// What the viewer asks of the server: steps to other films, another look, values to look at closely. Gathered while an answer
// is on its way, one request at a time: none is lost, none overtakes another, and no stale work queues up.

function makeWishes(state) {
  let step = 0;
  let look = null;
  let extra = "";
  let number = 0;
  let underWay = null;
  const flush = () => {
    if (underWay !== null || !state.data) return;
    const [position, count] = state.data.film.turn;
    const going = Math.max(0, Math.min(count - 1, position + step)) - position; // there is nothing beyond the first and the last
    const wish = { ...(going && { step: going }), ...(look && { look }), ...(extra && { extra }) };
    [step, look, extra] = [0, null, ""];
    if (!Object.keys(wish).length) return;
    number = Math.max(number, state.data.look.wish) + 1;
    underWay = setTimeout(() => wishes.arrived(Infinity), 5000); // should the answer be lost, keys work again
    state.send({ ...wish, film: state.data.film.key, number });
  };
  const wishes = {
    look: null, // the look that was asked for last, until it is there
    ask: (what) => {
      if (what.step) step += what.step;
      if (what.look) look = wishes.look = what.look;
      if (what.extra) extra = what.extra;
      flush();
    },
    arrived: (heard) => {
      if (heard < number) return;
      clearTimeout(underWay);
      underWay = null;
      if (!look) wishes.look = null;
      flush();
    },
    // A window set by hand is meant for the values of its film.
    otherFilm: () => {
      if (look && Array.isArray(look.window)) look.window = "default";
    },
  };
  return wishes;
}

// What is wanted: the look that is shown, or what was asked for since.
function wantedLook({ data, wishes }) {
  if (wishes.look) return wishes.look;
  const { window: name, center, width, function: kind, invert, contrast, file, files } = data.look;
  const isFirst = file === (files[0] || {}).key;
  return { window: name === "hand" ? [center, width, kind] : name, invert, contrast, file: isFirst ? "" : file };
}

// A look is asked for as a whole, and builds on the one that was asked for before.
function askLook(state, change) {
  state.wishes.ask({ look: { ...wantedLook(state), ...change } });
  showWindow(state, state.live);
}
