// The hand on the film: wheel and pinch zoom where the pointer is, drag moves it, keys do both.

function bindPointers(state) {
  const { stage } = state.parts;
  const pointers = new Map();
  const place = (event) => {
    const box = stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  stage.onwheel = (event) => {
    event.preventDefault();
    const step = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    zoomAt(state.view, ...place(event), state.view.scale * Math.exp(-step * 0.0015));
    state.paint();
  };
  bindWindowDrag(state);
  stage.onpointerdown = (event) => {
    if (event.button === 2) return state.dragWindow.begin(event);
    if (event.button !== 0) return;
    stage.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, place(event));
    stage.classList.add("held");
  };
  stage.onpointermove = (event) => {
    if (state.dragWindow.move(event)) return;
    if (!pointers.has(event.pointerId)) return hoverBox(state, event, place(event));
    const before = [...pointers.values()];
    pointers.set(event.pointerId, place(event));
    moveBy(state.view, before, [...pointers.values()]);
    state.paint();
  };
  stage.onpointerup = stage.onpointercancel = (event) => {
    if (state.dragWindow.end(event)) return;
    pointers.delete(event.pointerId);
    if (!pointers.size) stage.classList.remove("held");
  };
  stage.onpointerleave = () => state.hooks.light(null);
  stage.ondblclick = () => state.fit();
}

// The right button sets the window. Values to do it on are asked for when it goes down for the first time on a film.
function bindWindowDrag(state) {
  const { stage } = state.parts;
  let held = null;
  stage.oncontextmenu = (event) => event.preventDefault();
  state.dragWindow = {
    isHeld: () => held !== null,
    begin: (event) => {
      if (!state.data || state.data.film.error) return;
      stage.setPointerCapture(event.pointerId);
      held = { id: event.pointerId, x: event.clientX, y: event.clientY, from: startWindow(state), film: state.data.film.key };
      if (!state.values.reduced) state.wishes.ask({ extra: "codes" });
    },
    move: (event) => {
      if (!held || event.pointerId !== held.id) return false;
      if (held.film !== state.data.film.key) return Boolean((held = null));
      if (event.clientX === held.x && event.clientY === held.y) return true;
      state.live = draggedWindow(held.from, event.clientX - held.x, event.clientY - held.y, state);
      showWindow(state, state.live);
      state.paint();
      return true;
    },
    end: (event) => {
      if (!held || event.pointerId !== held.id) return false;
      held = null;
      if (state.live) askWindow(state, state.live);
      return true;
    },
  };
}

function moveBy(view, before, after) {
  if (after.length < 2) return panBy(view, after[0][0] - before[0][0], after[0][1] - before[0][1]);
  const middle = ([a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const apart = ([a, b]) => Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1]));
  const [from, to] = [middle(before), middle(after)];
  panBy(view, to[0] - from[0], to[1] - from[1]);
  return zoomAt(view, ...to, (view.scale * apart(after)) / apart(before));
}

function hoverBox(state, event, [x, y]) {
  const group = event.target.closest ? event.target.closest(".box") : null;
  state.hooks.light(group ? { box: group.dataset.boxId, at: [x, y] } : null);
}

// Letters and signs that OHIF uses where it has one; typing into a field is never taken for a command.
function bindKeys(state) {
  state.onkey = (event) => {
    const target = event.composedPath()[0];
    const typing = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName || "");
    if ((typing && target.type !== "checkbox") || event.ctrlKey || event.metaKey || event.altKey) return;
    const done = () => event.preventDefault();
    const pan = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    if (event.key === "+") done(), state.zoom(1.25);
    else if (event.key === "-") done(), state.zoom(0.8);
    else if (event.key === "=") done(), state.fit();
    else if (event.key === "1") done(), state.native();
    else if (event.key.toLowerCase() === "b") done(), state.showAll(!state.shown);
    else if (event.key.toLowerCase() === "i") done(), state.parts.invert.click();
    else if (event.key.toLowerCase() === "c") done(), state.parts.contrast.click();
    else if (event.key.toLowerCase() === "w") done(), nextPreset(state);
    else if (event.key.toLowerCase() === "r") done(), state.parts.reset.click();
    else if (!event.shiftKey && (event.key === "ArrowRight" || event.key === "ArrowLeft") && !/^(radio|range)$/.test(target.type))
      done(), state.wishes.ask({ step: event.key === "ArrowRight" ? 1 : -1 });
    else if (event.shiftKey && pan) done(), panBy(state.view, ...pan), state.paint();
  };
  document.addEventListener("keydown", state.onkey);
}
