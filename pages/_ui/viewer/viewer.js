// The film viewer: reads what the page sends, draws it, links film, phrases and report. No request leaves the page.

const instances = new WeakMap();

export default function (component) {
  const root = component.parentElement;
  const state = instances.get(root) || create(root);
  instances.set(root, state);
  state.send = (wish) => component.setTriggerValue("wish", wish);
  if (component.data && component.data !== state.received) {
    state.received = component.data;
    receive(state, readMessage(component.data));
  }
  return () => {
    document.removeEventListener("keydown", state.onkey);
    window.removeEventListener("resize", state.refill);
    state.resized.disconnect();
    if (state.url) URL.revokeObjectURL(state.url);
    instances.delete(root);
  };
}

function create(root) {
  const find = (name) => root.querySelector(`.${name}`);
  const names = ["viewer", "stage", "film", "overlay", "tip", "message", "zoom", "all", "legend", "phrases", "report", "report-note", "notices", "facts", "no-picture",
    "codes", "caption", "preset", "center", "width", "invert", "contrast", "file", "reset", "steps", "compare", "agreement"];
  const state = { parts: Object.fromEntries(names.map((name) => [name, find(name)])), view: makeView(), shown: true, ticket: 0 };
  state.values = { file: null };
  state.hidden = new Set();
  state.hooks = { light: (what) => light(state, what), show: (id, on) => showBox(state, id, on) };
  state.wishes = makeWishes(state);
  state.paint = () => paint(state);
  state.fit = () => (fit(state.view, state.bounds, state.parts.stage.clientWidth, state.parts.stage.clientHeight), paint(state));
  state.zoom = (factor) => zoomFromMiddle(state, state.view.scale * factor);
  state.native = () => zoomFromMiddle(state, pixelOf(state.data.film) / window.devicePixelRatio);
  state.showAll = (on) => showAll(state, on);
  find("zoom-in").onclick = () => state.zoom(1.25);
  find("zoom-out").onclick = () => state.zoom(0.8);
  find("fit").onclick = () => state.fit();
  find("native").onclick = () => state.native();
  state.parts.all.onclick = () => state.showAll(!state.shown);
  state.wantNative = makeWanting(state);
  bindWindow(state);
  bindPointers(state);
  bindKeys(state);
  state.refill = () => fillWindow(state);
  state.resized = new ResizeObserver(() => {
    fillWindow(state);
    if (state.data) state.view.fitted ? state.fit() : paint(state);
  });
  state.resized.observe(state.parts.stage);
  window.addEventListener("resize", state.refill);
  return state;
}

// As high as the window leaves room below what stands above: nothing to scroll, the film as large as can be. In a narrow
// window film and panel stand one below the other, and the style sheet decides.
function fillWindow({ parts: { viewer } }) {
  const narrow = window.matchMedia("(max-width: 60rem)").matches;
  const room = window.innerHeight - Math.max(0, viewer.getBoundingClientRect().top) - 12;
  viewer.style.height = narrow ? "" : `${Math.max(384, room)}px`;
}

// Picture, boxes and words of one film appear together: a new film's boxes never lie over the old picture.
async function receive(state, { header, jpeg }) {
  const ticket = (state.ticket += 1);
  const sameFilm = state.data && state.data.film.key === header.film.key;
  const samePicture = sameFilm && state.data.film.version === header.film.version;
  if (!samePicture || !state.url) {
    const url = jpeg.length ? URL.createObjectURL(new Blob([jpeg], { type: "image/jpeg" })) : null;
    const picture = new Image();
    if (url) {
      picture.src = url;
      await picture.decode().catch(() => (header.film.error = header.film.error || "The browser cannot decode this picture."));
    }
    if (ticket !== state.ticket) return url && URL.revokeObjectURL(url);
    if (state.url) URL.revokeObjectURL(state.url);
    state.url = url;
    picture.className = "film";
    picture.alt = header.film.alt;
    picture.draggable = false;
    picture.hidden = !url;
    state.parts.film.replaceWith(picture);
    state.parts.film = picture;
  }
  show(state, header, sameFilm);
  return undefined;
}

function show(state, header, sameFilm) {
  const { parts } = state;
  state.data = header;
  if (!sameFilm || !state.dragWindow.isHeld()) state.live = null; // values may arrive while the hand is on the window
  if (!sameFilm) state.wishes.otherFilm(), state.wantNative.answered();
  keepValues(state, header);
  state.bounds = boundsOf(header.film, header.boxes);
  if (!sameFilm) state.hidden.clear();
  state.overlay = buildOverlay(parts.overlay, header.boxes);
  for (const { group, box } of state.overlay.groups) {
    group.onfocus = () => light(state, { box: box.id });
    group.onblur = () => light(state, null);
  }
  parts.notices.replaceChildren(...header.film.notices.map((text) => node("li", "issue", text)));
  buildFacts(parts.facts, header.film.facts);
  buildLegend(parts.legend, header.boxes);
  state.items = buildPhrases(parts.phrases, header, state.hooks);
  state.marks = buildReport(parts.report, header.report, header.phrases, state.hooks);
  parts["report-note"].textContent = header.report.note;
  parts.report.hidden = header.report.text === null;
  parts.message.textContent = header.film.error || "";
  parts.message.hidden = parts["no-picture"].hidden = !header.film.error;
  showWindow(state, state.live);
  buildSteps(parts.steps, header.look.steps);
  if (!sameFilm || header.look.agreement) parts.agreement.textContent = header.look.agreement;
  parts.compare.hidden = header.look.files.length < 2;
  light(state, null);
  applySwitches(state);
  fillWindow(state);
  if (sameFilm && !state.view.fitted) paint(state);
  else state.fit();
  parts.viewer.dataset.painted = header.film.key;
  state.wishes.arrived(header.look.wish);
}

function paint(state) {
  const { stage, overlay, zoom } = state.parts;
  const { data, view } = state;
  if (!data) return;
  const [x, y] = toStage(view, data.film.picture[0], data.film.picture[1]);
  for (const layer of choosePicture(state)) {
    layer.style.width = `${data.film.picture[2] * view.scale}px`;
    layer.style.height = `${data.film.picture[3] * view.scale}px`;
    layer.style.transform = `translate(${x}px, ${y}px)`;
    layer.style.imageRendering = view.scale >= 4 ? "pixelated" : "auto";
  }
  placeOverlay(state.overlay, data.film, view, stage.clientWidth, stage.clientHeight);
  overlay.dataset.scale = view.scale;
  zoom.textContent = `${percent((view.scale * window.devicePixelRatio) / pixelOf(state.data.film))} %`;
}

function percent(ratio) {
  return ratio >= 0.095 ? Math.round(100 * ratio) : Number((100 * ratio).toPrecision(1));
}

function zoomFromMiddle(state, scale) {
  zoomAt(state.view, state.parts.stage.clientWidth / 2, state.parts.stage.clientHeight / 2, scale);
  paint(state);
}

function showBox(state, id, on) {
  if (on) state.hidden.delete(id);
  else state.hidden.add(id);
  if (on && !state.shown) state.shown = true;
  applySwitches(state);
}

function showAll(state, on) {
  state.shown = on;
  if (on) state.hidden.clear();
  applySwitches(state);
}

function applySwitches(state) {
  const visible = (id) => state.shown && !state.hidden.has(id);
  for (const { group, box } of state.overlay.groups) group.toggleAttribute("hidden", !visible(box.id));
  for (const input of state.parts.phrases.querySelectorAll("input")) input.checked = visible(input.dataset.boxId);
  state.parts.all.setAttribute("aria-pressed", String(state.shown));
}

// What is pointed at lights up in the other two places: its boxes, its phrase, its words in the report.
function light(state, what) {
  if (!state.data) return;
  const box = what && what.box ? state.data.boxes.find(({ id }) => id === what.box) : null;
  const phrase = box ? box.phraseIndex : what ? what.phrase : null;
  for (const { group, box: one } of state.overlay.groups) {
    const lit = box ? one === box : phrase !== null && one.phraseIndex === phrase;
    group.classList.toggle("lit", lit);
    group.classList.toggle("dim", what !== null && !lit);
  }
  state.items.forEach((item, index) => item.classList.toggle("lit", index === phrase));
  for (const { mark, phrases } of state.marks) mark.classList.toggle("lit", phrases.includes(phrase));
  showTip(state, box, what);
}

function showTip(state, box, what) {
  const { tip, stage } = state.parts;
  tip.hidden = !box;
  if (!box) return;
  tip.replaceChildren();
  node("strong", "", `${box.number} ${box.label}`, tip);
  node("div", "", box.phrase || "(empty phrase)", tip);
  node("div", "quiet", box.position, tip);
  for (const issue of box.issues) node("div", "issue", issue, tip);
  const [x, y] = what.at || toStage(state.view, box.rect[0] + box.rect[2], box.rect[1]);
  const right = x + 14 + tip.offsetWidth <= stage.clientWidth - 4; // else on the other side: it must not cover its box
  tip.style.left = `${Math.max(4, right ? x + 14 : x - 14 - tip.offsetWidth)}px`;
  tip.style.top = `${Math.max(4, Math.min(y + 14, stage.clientHeight - tip.offsetHeight - 4))}px`;
}
