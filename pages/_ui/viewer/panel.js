// What stands beside the film: the legend, the phrases with a switch for each box, and the report's own characters.

function node(name, className, text, parent) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined && text !== null) made.textContent = text;
  if (parent) parent.appendChild(made);
  return made;
}

function buildFacts(place, facts) {
  place.replaceChildren();
  for (const [name, value] of facts) {
    node("dt", "", name, place);
    node("dd", "", value, place);
  }
}

function swatch(box, parent) {
  const svg = svgNode("svg", { class: "swatch", width: 26, height: 10, "aria-hidden": "true" }, parent);
  const dash = box.dash.length ? box.dash.join(" ") : "none";
  svgNode("line", { x1: 0, y1: 5, x2: 26, y2: 5, stroke: box.color, "stroke-width": 2.5, "stroke-dasharray": dash }, svg);
}

function buildLegend(place, boxes) {
  place.replaceChildren();
  const labels = new Map();
  for (const box of boxes) labels.set(box.label, [...(labels.get(box.label) || []), box]);
  for (const [label, theirs] of labels) {
    const item = node("li", "", null, place);
    swatch(theirs[0], item);
    node("span", "letters", theirs[0].letters, item);
    node("span", "", `${label} (${theirs.length} ${theirs.length === 1 ? "box" : "boxes"})`, item);
  }
}

function buildPhrases(place, data, hooks) {
  place.replaceChildren();
  if (!data.phrases.length) node("li", "quiet", "No phrase is annotated on this film.", place);
  return data.phrases.map((phrase, index) => {
    const item = node("li", "phrase", null, place);
    item.tabIndex = 0;
    item.style.setProperty("--color", phrase.color);
    const head = node("div", "head", null, item);
    node("span", "letters", phrase.letters, head);
    node("span", "label", phrase.label, head);
    node("blockquote", "", phrase.text || "(empty phrase)", item);
    node("div", "quiet", phrase.found, item);
    const switches = node("div", "switches", null, item);
    for (const box of data.boxes.filter((one) => one.phraseIndex === index)) buildSwitch(switches, box, hooks);
    item.onpointerenter = item.onfocus = () => hooks.light({ phrase: index });
    item.onpointerleave = item.onblur = () => hooks.light(null);
    return item;
  });
}

function buildSwitch(place, box, hooks) {
  const label = node("label", "switch", null, place);
  const input = node("input", "", null, label);
  input.type = "checkbox";
  input.checked = true;
  input.disabled = !box.rect;
  input.dataset.boxId = box.id;
  input.onchange = () => hooks.show(box.id, input.checked);
  node("span", "", `Box ${box.number}`, label);
  node("span", "quiet", box.position, label);
  for (const issue of box.issues) node("div", "issue", issue, place);
}

// The report as the file has it: text nodes only, cut where a phrase begins or ends.
function buildReport(place, report, phrases, hooks) {
  place.replaceChildren();
  if (report.text === null) return [];
  const marks = phrases.flatMap((phrase, index) => (phrase.match ? [{ index, start: phrase.match[0], end: phrase.match[1] }] : []));
  const cuts = [...new Set([0, report.text.length, ...marks.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
  const made = [];
  for (let at = 0; at + 1 < cuts.length; at += 1) {
    const text = report.text.slice(cuts[at], cuts[at + 1]);
    const here = marks.filter(({ start, end }) => start <= cuts[at] && cuts[at + 1] <= end).map(({ index }) => index);
    if (!here.length) {
      place.appendChild(document.createTextNode(text));
      continue;
    }
    const mark = node("mark", "", text, place);
    mark.style.setProperty("--color", phrases[here[0]].color);
    mark.classList.toggle("similar", here.every((index) => phrases[index].isSimilar));
    mark.onpointerenter = () => hooks.light({ phrase: here[0] });
    mark.onpointerleave = () => hooks.light(null);
    made.push({ mark, phrases: here });
  }
  return made;
}
