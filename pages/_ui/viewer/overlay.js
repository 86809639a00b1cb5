// Boxes over the film, in SVG. Text of the data only ever enters through textContent and attributes, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const MARKER = 9; // pixels of the screen: the radius of the ring that stands for a box without area

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
    const key = group.box.rect.map((number) => number.toFixed(2)).join();
    places.set(key, [...(places.get(key) || []), group]);
  }
  for (const shared of places.values()) {
    if (shared.length < 2) continue;
    shared.forEach(({ under, line }, turn) => {
      under.toggleAttribute("hidden", turn > 0);
      line.setAttribute("stroke-dasharray", `10 ${10 * (shared.length - 1)}`);
      line.setAttribute("stroke-dashoffset", -10 * turn);
    });
  }
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
  placeRect(overlay.film, view, [0, 0, film.width, film.height]);
  const taken = [];
  for (const one of overlay.groups) {
    for (const shape of [one.under, one.line]) {
      if (one.box.hasArea) placeRect(shape, view, one.box.rect);
      else shape.setAttribute("d", markerPath(...toStage(view, one.box.rect[0], one.box.rect[1])));
    }
    const edges = drawnEdges(view, one.box);
    const [left, top, , bottom] = edges;
    const width = nameTag(one, arrowTo(edges, stageWidth, stageHeight));
    // Above the box, else below it, and always on the stage: a box far outside still shows its tag at the edge.
    const tagTop = Math.max(0, Math.min(top - 19 >= 0 ? top - 19 : bottom + 1, stageHeight - 19));
    const wanted = { left: Math.min(Math.max(left, 0), stageWidth - width), top: tagTop, width };
    const place = freePlace(taken, wanted, stageWidth, stageHeight);
    taken.push(place);
    one.tag.setAttribute("transform", `translate(${place.left} ${place.top})`);
  }
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
  for (let away = 19; away < stageHeight; away += 19) rows.push(wanted.top + away, wanted.top - away);
  for (const top of rows.filter((row) => row >= 0 && row <= stageHeight - 19)) {
    const left = freeLeft(taken, wanted.left, top, wanted.width);
    if (left + wanted.width <= stageWidth) return { ...wanted, left, top };
  }
  return wanted;
}

function freeLeft(taken, left, top, width) {
  const meets = (tag) => Math.abs(tag.top - top) < 18 && tag.left < left + width && left < tag.left + tag.width;
  for (let hit = taken.find(meets); hit; hit = taken.find(meets)) left = hit.left + hit.width + 1;
  return left;
}

function placeRect(node, view, rect) {
  const [left, top, width, height] = pixelToDisplay(view, rect);
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
