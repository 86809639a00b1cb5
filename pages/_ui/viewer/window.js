// The window: values to gray levels, by a list, two numbers, or the right mouse button. The server has the last word: what
// is computed here serves while a hand is on the window.

// PS3.3 C.11.2.1.2 and C.11.2.1.3, as radharmony_core/images/display/voi.py has them. `units` holds a value for each code, NaN
// for padding, which is black.
function windowTable(units, { center, width, function: kind }, inverted) {
  const level = {
    SIGMOID: (x) => 255 / (1 + Math.exp(Math.min(700, Math.max(-700, (-4 * (x - center)) / width)))),
    LINEAR_EXACT: (x) => ((x - center) / width + 0.5) * 255,
    LINEAR: width === 1 ? (x) => (x <= center - 0.5 ? 0 : 255) : (x) => ((x - center + 0.5) / (width - 1) + 0.5) * 255,
  }[kind];
  const table = new Uint8Array(units.length);
  for (let code = 0; code < units.length; code += 1) {
    const gray = Math.min(255, Math.max(0, level(units[code])));
    table[code] = Number.isNaN(gray) ? 0 : Math.floor((inverted ? 255 - gray : gray) + 0.5);
  }
  return table;
}

// Across the film the width, up and down the brightness; a whole drag of 600 pixels spans all values.
function draggedWindow(start, dx, dy, look) {
  const span = Math.max(1, look.reach[1] - look.reach[0]);
  const brighter = look.lowIsWhite !== look.invert ? -1 : 1;
  return {
    center: start.center + (brighter * dy * span) / 600,
    width: Math.max(1, start.width + (dx * span) / 600),
    function: "LINEAR",
  };
}

function startWindow({ center, width, reach }) {
  if (center !== null && width !== null) return { center, width: Math.max(1, width) };
  return { center: (reach[0] + reach[1]) / 2, width: Math.max(1, reach[1] - reach[0]) };
}

function bindWindow(state) {
  const { preset, center, width, invert, contrast, file } = state.parts;
  const typed = () => {
    if (center.value === "" || !(Number(width.value) >= 1)) return showWindow(state);
    return state.askLook({ window: [Number(center.value), Number(width.value)] });
  };
  preset.onchange = () => state.askLook({ window: preset.value });
  center.onchange = width.onchange = typed;
  invert.onclick = () => state.askLook({ invert: !state.data.look.invert });
  contrast.onclick = () => state.askLook({ contrast: !state.data.look.contrast });
  file.onchange = () => state.askLook({ file: file.value, window: "default" });
  state.parts.reset.onclick = () => state.askLook({ window: "default", invert: false, contrast: false });
  state.parts.compare.onclick = () => state.askExtra("agreement");
}

function nextPreset(state) {
  const [usual, ...others] = state.data.look.presets;
  const isTwin = ({ words, center, width }) => words === usual.words && center === usual.center && width === usual.width;
  const keys = usual ? [usual.key, ...others.filter((preset) => !isTwin(preset)).map(({ key }) => key)] : [];
  const now = keys.indexOf(state.data.look.window);
  if (keys.length) state.askLook({ window: keys[(now + 1) % keys.length] });
}

// What the list, the numbers and the corner of the film say.
function showWindow(state, live) {
  const { parts } = state;
  const { look, film } = state.data;
  const hand = live || look.window === "hand";
  const options = look.presets.map(({ key, words }) => [key, key === "default" ? `Default: ${words}` : words]);
  if (hand) options.push(["hand", "Set by hand"]);
  fillOptions(parts.preset, options, hand ? "hand" : look.window);
  fillOptions(parts.file, look.files.map(({ key, words }) => [key, words]), look.file);
  parts.file.hidden = look.files.length < 2;
  const { center, width } = live || look;
  parts.center.value = center === null ? "" : Number(center.toPrecision(6));
  parts.width.value = width === null ? "" : Number(width.toPrecision(6));
  for (const name of ["preset", "center", "width", "invert", "contrast", "reset"]) parts[name].disabled = Boolean(film.error);
  parts.invert.setAttribute("aria-pressed", String(look.invert));
  parts.contrast.setAttribute("aria-pressed", String(look.contrast));
  const numbers = live ? `Set by hand, C ${Number(center.toPrecision(6))}  W ${Number(width.toPrecision(6))}` : look.caption;
  parts.caption.textContent = film.error ? "" : numbers;
}

function fillOptions(select, options, value) {
  select.replaceChildren();
  for (const [key, words] of options) node("option", "", words, select).value = key;
  select.value = value;
}
