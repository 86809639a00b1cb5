// The picture: a JPEG of the screen's size at rest; the film's own values where the zoom goes beyond that, or while a hand is
// on the window.

// One buffer: the header's length (4 bytes, little endian), the header as JSON, the JPEG, the look's table, codes and units.
function readMessage(bytes) {
  const buffer = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  const length = new DataView(buffer.buffer, buffer.byteOffset, 4).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(buffer.subarray(4, 4 + length)));
  let at = 4 + length;
  const take = (count) => buffer.subarray(at, (at += count));
  const jpeg = take(header.parts.jpeg);
  header.table = take(header.parts.lut);
  if (header.parts.codes) header.values = readCodes(header.parts.codes, take(header.parts.codes.bytes), buffer.slice(at));
  return { header, jpeg };
}

function readCodes({ width, height, itemsize, native, shown }, data, units) {
  const copy = data.slice(); // a view of 16 bits must begin at an even byte
  const codes = itemsize === 1 ? copy : new Uint16Array(copy.buffer);
  return { width, height, codes, units: new Float32Array(units.buffer), native, shown };
}

// The values of the film that is shown: reduced ones for the hand on the window, native ones for the zoom.
function keepValues(state, header) {
  const { film, values, look } = header;
  if (state.values.file !== film.file) state.values = { file: film.file };
  const { native } = state.values;
  // Local contrast is no table over values: native pixels with it and without it are two things.
  if (native && (native.shown ? state.values.version !== film.version : look.contrast)) delete state.values.native;
  if (!values) return;
  state.wantNative.answered();
  values.canvas = document.createElement("canvas");
  [values.canvas.width, values.canvas.height] = [values.width, values.height];
  state.values[values.native ? "native" : "reduced"] = values;
  state.values.version = film.version;
}

function develop(values, table) {
  const context = values.canvas.getContext("2d", { alpha: false });
  values.image = values.image || context.createImageData(values.width, values.height);
  const colors = Uint32Array.from(table, (gray) => (0xff000000 | (gray * 0x010101)) >>> 0);
  const pixels = new Uint32Array(values.image.data.buffer);
  const { codes } = values;
  for (let i = 0; i < codes.length; i += 1) pixels[i] = colors[codes[i]];
  context.putImageData(values.image, 0, 0);
  values.table = table;
}

const IDENTITY = Uint8Array.from({ length: 256 }, (_, gray) => gray);

// Whether a pixel of what was sent covers more than one of the screen: the file's own are due, without a JPEG's losses.
function needsNative({ data, view }) {
  const { picture, sent, size } = data.film;
  return Boolean(size) && view.scale * window.devicePixelRatio * picture[2] > sent[0] * 1.02;
}

function choosePicture(state) {
  const { film, codes, viewer } = state.parts;
  const near = needsNative(state);
  const native = near ? state.values.native : null;
  const values = native || (state.live ? state.values.reduced : null);
  if (near && !native) state.wantNative();
  if (values) {
    const live = state.live && !values.shown;
    const table = live ? windowTable(values.units, state.live, invertedNow(state)) : values.shown ? IDENTITY : state.data.table;
    if (values.table !== table) develop(values, table);
    if (state.parts.codes !== values.canvas) replaceCanvas(state, values.canvas);
  }
  state.parts.codes.hidden = !values; // over the JPEG, which stays where it is
  viewer.dataset.shown = values ? (native ? "native" : "reduced") : "jpeg";
  return [film, state.parts.codes];
}

function invertedNow({ data: { look } }) {
  return look.lowIsWhite !== look.invert;
}

function replaceCanvas(state, canvas) {
  canvas.className = "codes";
  canvas.setAttribute("aria-hidden", "true"); // the JPEG below speaks for both
  state.parts.codes.replaceWith(canvas);
  state.parts.codes = canvas;
}

// Asked for when the zoom rests, and again should the answer be lost.
function makeWanting(state) {
  let resting = null;
  let waiting = null;
  const want = () => {
    if (waiting !== null) return;
    clearTimeout(resting);
    resting = setTimeout(() => {
      if (!state.data || !needsNative(state) || state.values.native || state.live) return;
      state.wishes.ask({ extra: "native" });
      waiting = setTimeout(() => (want.answered(), state.paint()), 5000);
    }, 200);
  };
  want.answered = () => (clearTimeout(waiting), (waiting = null));
  return want;
}

function buildSteps(place, steps) {
  place.replaceChildren();
  for (const step of steps) {
    const item = node("li", "", null, place);
    node("strong", "", step.name, item);
    node("span", "", ` ${step.words}`, item);
    if (step.standard) node("div", "quiet", step.standard, item);
  }
}
