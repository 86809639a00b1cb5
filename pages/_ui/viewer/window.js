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

// Across the film the width, up and down the brightness; a whole drag of 600 pixels spans all values, in steps that can be seen.
function draggedWindow(start, dx, dy, state) {
  const { reach, lowIsWhite } = state.data.look;
  const span = reach[1] - reach[0] || 1;
  const brighter = lowIsWhite !== wantedLook(state).invert ? -1 : 1;
  const step = 10 ** (Math.floor(Math.log10(span)) - 3);
  const stepped = (number) => Number((Math.round(number / step) * step).toPrecision(12));
  return handWindow(stepped(start.center + (brighter * dy * span) / 600), Math.max(step, stepped(start.width + (dx * span) / 600)), start.function);
}

// The film's own curve goes on, where it is one. LINEAR has no width below 1 (PS3.3 C.11.2.1.2).
function handWindow(center, width, kind) {
  return { center, width, function: kind === "SIGMOID" ? kind : width < 1 ? "LINEAR_EXACT" : kind || "LINEAR" };
}

// The window to go on from: the last one asked for, the one that is shown, or all values.
function startWindow(state) {
  const { center, width, function: kind, reach, presets } = state.data.look;
  const wanted = wantedLook(state).window;
  if (Array.isArray(wanted)) return { center: wanted[0], width: wanted[1], function: wanted[2] };
  const preset = presets.find(({ key }) => key === wanted) || { center, width, function: kind };
  if (preset.center !== null && preset.width !== null) return preset;
  return { center: (reach[0] + reach[1]) / 2, width: reach[1] - reach[0] || 1, function: "LINEAR_EXACT" };
}

function askWindow(state, { center, width, function: kind }) {
  askLook(state, { window: [center, width, kind] });
}

function bindWindow(state) {
  const { preset, center, width, invert, contrast, file } = state.parts;
  const { stage } = state.parts;
  const typed = (field) => {
    const start = startWindow(state);
    if (field.value === "" || (field === width && !(Number(width.value) > 0))) return stage.focus(), showWindow(state);
    start[field === center ? "center" : "width"] = Number(field.value);
    return askWindow(state, handWindow(start.center, start.width, start.function));
  };
  // After a choice the keys are the film's again.
  preset.onchange = () => (preset.value === "hand" || askLook(state, { window: preset.value }), stage.focus());
  for (const field of [center, width]) {
    field.onchange = () => typed(field);
    field.onkeydown = (event) => event.key === "Enter" && stage.focus();
  }
  invert.onclick = () => askLook(state, { invert: !wantedLook(state).invert });
  contrast.onclick = () => askLook(state, { contrast: !wantedLook(state).contrast });
  file.onchange = () => (askLook(state, { file: file.value, window: "default" }), stage.focus());
  state.parts.reset.onclick = () => askLook(state, { window: "default", invert: false, contrast: false, file: "" });
  state.parts.compare.onclick = () => state.wishes.ask({ extra: "agreement" });
}

function nextPreset(state) {
  const [usual, ...others] = state.data.look.presets;
  const isTwin = ({ words, center, width }) => words === usual.words && center === usual.center && width === usual.width;
  const twins = others.filter(isTwin).map(({ key }) => key);
  const keys = usual ? [usual.key, ...others.map(({ key }) => key).filter((key) => !twins.includes(key))] : [];
  const wanted = wantedLook(state).window;
  const now = keys.indexOf(twins.includes(wanted) ? usual.key : wanted);
  if (keys.length) askLook(state, { window: keys[(now + 1) % keys.length] });
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
  const typing = parts.stage.getRootNode().activeElement; // an answer that comes meanwhile does not take away what is being typed
  for (const [name, number] of Object.entries({ center, width }))
    if (typing !== parts[name]) parts[name].value = number === null ? "" : Number(number.toPrecision(10));
  for (const name of ["preset", "center", "width", "invert", "contrast"]) parts[name].disabled = Boolean(film.error);
  const wanted = wantedLook(state);
  parts.invert.setAttribute("aria-pressed", String(wanted.invert));
  parts.contrast.setAttribute("aria-pressed", String(wanted.contrast));
  parts.caption.textContent = film.error ? "" : look.caption;
}

function fillOptions(select, options, value) {
  select.replaceChildren();
  for (const [key, words] of options) node("option", "", words, select).value = key;
  select.value = value;
}
