// Boxes over the film, in SVG. Text of the data only ever enters through textContent and attributes, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const MARKER = 9; // pixels of the screen: the radius of the ring that stands for a box without area
const TAG = 19; // and of a tag's height, with a gap

function svgNode(name, attributes, parent) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (parent) parent.appendChild(node);
  return node;
}

function spokenName(box, count) {
  const name = `Box ${box.number} of ${count}, ${box.label}, ${box.position}, phrase: ${box.phrase || "empty"}`;
  return box.issues.length ? `${name}. ${box.issues.join(" ")}` : name;
}

// Small boxes come last and so lie on top: a large one never keeps the pointer from them.
function buildOverlay(svg, boxes) {
  svg.replaceChildren();
  const margin = buildMargin(svg);
  const film = svgNode("rect", { class: "frame", fill: "none" }, svg);
  const drawn = boxes.filter((box) => box.rect);
  const area = ({ rect }) => Math.abs(rect[2] * rect[3]);
  const groups = drawn
    .slice()
    .sort((a, b) => area(b) - area(a))
    .map((box) => buildBox(svg, box, boxes.length));
  shareOutlines(groups);
  return { margin, film, groups };
}

// What is no picture, where something lies there: hatched, so that it is not taken for the film's own black.
function buildMargin(svg) {
  const hatch = { id: "no-picture", width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const pattern = svgNode("pattern", hatch, svgNode("defs", {}, svg));
  svgNode("rect", { class: "hatch-ground", width: 8, height: 8 }, pattern);
  svgNode("rect", { class: "hatch-line", width: 1.5, height: 8 }, pattern);
  return svgNode("path", { class: "margin", fill: "url(#no-picture)", "fill-rule": "evenodd" }, svg);
}

// Several phrases on one and the same box: their outlines take turns along the border, so that none hides another.
function shareOutlines(groups) {
  const places = new Map();
  for (const group of groups) {
    const { rect, hasArea } = group.box;
    const key = (hasArea ? rect : rect.slice(0, 2)).map((number) => number.toFixed(2)).join();
    places.set(key, [...(places.get(key) || []), group]);
  }
  for (const shared of places.values()) {
    if (shared.length < 2) continue;
    shared.forEach((group, turn) => {
      group.under.toggleAttribute("hidden", turn > 0);
      group.share = { turn, count: shared.length };
    });
  }
}

// Turns of about 10 pixels of the screen, a whole number of rounds along the border: on a small box each has its part too.
function placeShare({ box, line, share }, [, , width, height]) {
  const border = box.hasArea ? 2 * (width + height) : 2 * Math.PI * MARKER;
  const rounds = Math.max(1, Math.round(border / (10 * share.count)));
  const dash = border / (rounds * share.count);
  line.setAttribute("stroke-dasharray", `${dash} ${dash * (share.count - 1)}`);
  line.setAttribute("stroke-dashoffset", -dash * share.turn);
}

function buildBox(svg, box, count) {
  const group = svgNode("g", { class: "box", tabindex: "0", role: "img", "aria-label": spokenName(box, count) }, svg);
  group.dataset.boxId = box.id;
  group.style.setProperty("--color", box.color);
  const shape = box.hasArea ? "rect" : "path";
  const under = svgNode(shape, { class: "under" }, group);
  const line = svgNode(shape, { class: "line", "stroke-dasharray": box.hasArea ? box.dash.join(" ") : "none" }, group);
  const tag = svgNode("g", { class: "tag" }, group);
  const plate = svgNode("rect", { height: 18, rx: 2 }, tag);
  const text = svgNode("text", { x: 4, y: 13 }, tag);
  const name = `${box.number} ${box.letters}${box.issues.length ? " !" : ""}`;
  return { box, group, under, line, tag, plate, text, name };
}

function placeOverlay(overlay, film, view, stageWidth, stageHeight) {
  placeMargin(overlay, film, view, stageWidth, stageHeight);
  const onStage = (rect) => cutToStage(pixelToDisplay(view, rect), stageWidth, stageHeight);
  placeRect(overlay.film, onStage([0, 0, film.width, film.height]));
  const words = wordsOnStage(overlay.margin.ownerSVGElement.parentNode);
  const taken = [...words];
  for (const one of overlay.groups) {
    const place = onStage(one.box.rect);
    for (const shape of [one.under, one.line]) {
      if (one.box.hasArea) placeRect(shape, place);
      else shape.setAttribute("d", markerPath(...toStage(view, one.box.rect[0], one.box.rect[1])));
    }
    if (one.share) placeShare(one, place);
    const edges = drawnEdges(view, one.box);
    const [left, top, , bottom] = edges;
    const width = nameTag(one, arrowTo(edges, stageWidth, stageHeight));
    // Above the box, else below it, and always on the stage: a box far outside still shows its tag at the edge.
    const tagTop = Math.max(0, Math.min(top - TAG >= 0 ? top - TAG : bottom + 1, stageHeight - TAG));
    const wanted = { left: Math.min(Math.max(left, 0), stageWidth - width), top: tagTop, width, height: TAG - 1 };
    const over = words.find((one) => meets(wanted, one));
    if (over) wanted.top = Math.max(0, over.top - TAG);
    const free = freePlace(taken, wanted, stageWidth, stageHeight);
    taken.push(free);
    one.tag.setAttribute("transform", `translate(${free.left} ${free.top})`);
  }
}

// Where words stand in the stage's corners, which no tag may lie under.
function wordsOnStage(stage) {
  return [...stage.querySelectorAll(".no-picture")]
    .filter((node) => node.textContent.trim() && node.offsetWidth)
    .map((node) => ({ left: node.offsetLeft, top: node.offsetTop, width: node.offsetWidth, height: node.offsetHeight }));
}

function placeMargin({ margin, groups }, film, view, stageWidth, stageHeight) {
  const [x, y, w, h] = film.picture;
  const isFilled = x <= 0 && y <= 0 && x + w >= film.width && y + h >= film.height;
  const isShown = !isFilled || groups.some(({ box }) => isBeyond(film, box.rect));
  const [left, top, width, height] = pixelToDisplay(view, film.picture);
  const hole = `M${left} ${top}h${width}v${height}h${-width}z`;
  margin.setAttribute("d", isShown ? `M0 0H${stageWidth}V${stageHeight}H0z${hole}` : "");
}

// Left, top, right and bottom on the stage of what is drawn for a box: its outline, or its marker.
function drawnEdges(view, { rect, hasArea }) {
  const [x, y, w, h] = pixelToDisplay(view, rect);
  return hasArea ? edgesOf([x, y, w, h]) : [x - MARKER, y - MARKER, x + MARKER, y + MARKER];
}

// Where a box lies that is not on the stage: the sign that its tag carries.
function arrowTo([left, top, right, bottom], stageWidth, stageHeight) {
  const across = right < 0 ? 0 : left > stageWidth ? 2 : 1;
  const down = bottom < 0 ? 0 : top > stageHeight ? 2 : 1;
  return ["\u2196\u2191\u2197", "\u2190 \u2192", "\u2199\u2193\u2198"][down][across].trim();
}

// Writes the tag and tells its width.
function nameTag({ text, plate, name }, arrow) {
  const words = arrow ? `${arrow} ${name}` : name;
  const width = 9 + 7.4 * words.length;
  if (text.textContent !== words) {
    text.textContent = words;
    plate.setAttribute("width", width);
  }
  return width;
}

// Tags that would lie on each other stand side by side instead, and below or above where the stage ends.
function freePlace(taken, wanted, stageWidth, stageHeight) {
  const rows = [wanted.top];
  for (let away = TAG; away < stageHeight; away += TAG) rows.push(wanted.top + away, wanted.top - away);
  for (const top of rows.filter((row) => row >= 0 && row <= stageHeight - TAG)) {
    const left = freeLeft(taken, { ...wanted, top });
    if (left + wanted.width <= stageWidth) return { ...wanted, left, top };
  }
  return wanted;
}

function freeLeft(taken, { left, top, width, height }) {
  const next = () => taken.find((other) => meets({ left, top, width, height }, other));
  for (let hit = next(); hit; hit = next()) left = hit.left + hit.width + 1;
  return left;
}

function meets(one, other) {
  const apart = one.top + one.height <= other.top || other.top + other.height <= one.top;
  return !apart && one.left < other.left + other.width && other.left < one.left + one.width;
}

function placeRect(node, [left, top, width, height]) {
  node.setAttribute("x", left);
  node.setAttribute("y", top);
  node.setAttribute("width", width);
  node.setAttribute("height", height);
}

// A box without area has no outline: a cross in a ring marks where it claims to be.
function markerPath(x, y) {
  const r = MARKER;
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0M${x - r} ${y}h${2 * r}M${x} ${y - r}v${2 * r}`;
}
