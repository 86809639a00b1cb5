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
  return { film, groups };
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
  plate.setAttribute("width", 9 + 7.4 * text.textContent.length);
  return { box, group, under, line, tag };
}

function placeOverlay(overlay, film, view, stageWidth, stageHeight) {
  placeRect(overlay.film, view, [0, 0, film.width, film.height]);
  for (const { box, under, line, tag } of overlay.groups) {
    const [x, y] = toStage(view, box.rect[0], box.rect[1]);
    for (const shape of [under, line]) {
      if (box.hasArea) placeRect(shape, view, box.rect);
      else shape.setAttribute("d", markerPath(x, y));
    }
    const bottom = toStage(view, 0, box.rect[1] + Math.max(0, box.rect[3]))[1];
    const above = y - 19 >= 0 ? y - 19 : Math.min(bottom + 1, stageHeight - 19);
    tag.setAttribute("transform", `translate(${Math.min(Math.max(x, 0), stageWidth - 40)} ${above})`);
  }
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
