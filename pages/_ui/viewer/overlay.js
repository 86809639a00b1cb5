// Boxes over the film, in SVG. Text of the data only ever enters through textContent and attributes, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function svgNode(name, attributes, parent) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (parent) parent.appendChild(node);
  return node;
}

function spokenName(box, count) {
  return `Box ${box.number} of ${count}, ${box.label}, ${box.position}, phrase: ${box.phrase || "empty"}`;
}

// Small boxes come last and so lie on top: a large one never keeps the pointer from them.
function buildOverlay(svg, boxes) {
  svg.replaceChildren();
  const film = svgNode("rect", { class: "frame", fill: "none" }, svg);
  const drawn = boxes.filter((box) => box.rect);
  const area = ({ rect }) => Math.abs(rect[2] * rect[3]);
  const groups = drawn
    .slice()
    .sort((a, b) => area(b) - area(a))
    .map((box) => buildBox(svg, box, boxes.length));
  shareOutlines(groups);
  return { film, groups };
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
  const line = svgNode(shape, { class: "line", "stroke-dasharray": box.dash.join(" ") }, group);
  const tag = svgNode("g", { class: "tag" }, group);
  const plate = svgNode("rect", { height: 18, rx: 2 }, tag);
  const text = svgNode("text", { x: 4, y: 13 }, tag);
  text.textContent = `${box.number} ${box.letters}${box.issues.length ? " !" : ""}`;
  const tagWidth = 9 + 7.4 * text.textContent.length;
  plate.setAttribute("width", tagWidth);
  return { box, group, under, line, tag, tagWidth };
}

function placeOverlay(overlay, film, view, stageWidth, stageHeight) {
  placeRect(overlay.film, view, [0, 0, film.width, film.height]);
  const taken = [];
  for (const { box, under, line, tag, tagWidth } of overlay.groups) {
    const [x, y] = toStage(view, box.rect[0], box.rect[1]);
    for (const shape of [under, line]) {
      if (box.hasArea) placeRect(shape, view, box.rect);
      else shape.setAttribute("d", markerPath(x, y));
    }
    const bottom = toStage(view, 0, box.rect[1] + Math.max(0, box.rect[3]))[1];
    // Above the box, else below it, and always on the stage: a box far outside still shows its tag at the edge.
    const top = Math.max(0, Math.min(y - 19 >= 0 ? y - 19 : bottom + 1, stageHeight - 19));
    const left = freeLeft(taken, Math.min(Math.max(x, 0), stageWidth - tagWidth), top, tagWidth);
    tag.setAttribute("transform", `translate(${left} ${top})`);
  }
}

// Tags that would lie on each other stand side by side instead.
function freeLeft(taken, left, top, width) {
  const meets = (tag) => Math.abs(tag.top - top) < 18 && tag.left < left + width && left < tag.left + tag.width;
  for (let hit = taken.find(meets); hit; hit = taken.find(meets)) left = hit.left + hit.width + 1;
  taken.push({ left, top, width });
  return left;
}

function placeRect(node, view, [x, y, w, h]) {
  const [left, top] = toStage(view, x, y);
  node.setAttribute("x", left);
  node.setAttribute("y", top);
  node.setAttribute("width", w * view.scale);
  node.setAttribute("height", h * view.scale);
}

// A box without area has no outline: a cross in a ring marks where it claims to be.
function markerPath(x, y) {
  const r = 9;
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0M${x - r} ${y}h${2 * r}M${x} ${y - r}v${2 * r}`;
}
