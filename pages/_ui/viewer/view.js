// Where the film is on the screen: one scale and one offset, from film pixels (edges on whole numbers, origin at the top
// left) to pixels of the stage. Everything that is drawn goes through here, so the picture and its boxes cannot part. The
// formulas are those of radharmony_core/boxes/screen.py; a test runs both on the same numbers.

const REACH = 0.5; // of the film's width and height: how far beyond it boxes are shown; as in radharmony_core/boxes/words.py

const LIMITS = [0.02, 64]; // screen pixels that one pixel of the film may cover

function makeView() {
  return { scale: 1, x: 0, y: 0, fitted: true, limits: LIMITS };
}

function toStage(view, x, y) {
  return [x * view.scale + view.x, y * view.scale + view.y];
}

function toFilm(view, x, y) {
  return [(x - view.x) / view.scale, (y - view.y) / view.scale];
}

// A box, [left, top, width, height] in pixels of the film's frame, on the stage; and back.
function pixelToDisplay(view, [x, y, w, h]) {
  return [...toStage(view, x, y), w * view.scale, h * view.scale];
}

function displayToPixel(view, [x, y, w, h]) {
  return [...toFilm(view, x, y), w / view.scale, h / view.scale];
}

// Left, top, right and bottom, also of a box that is turned over.
function edgesOf([x, y, w, h]) {
  return [Math.min(x, x + w), Math.min(y, y + h), Math.max(x, x + w), Math.max(y, y + h)];
}

// What of a rectangle on the stage is drawn. Chrome bounds x and width each on its own, at 2 ** 25 pixels, so the right edge of a
// very long box would be lost. Edges far outside stay outside, where none is seen; the others are where they were.
function cutToStage([x, y, w, h], stageWidth, stageHeight) {
  const away = 4096; // so far that dashes, which begin at a corner, keep their place while the film is moved as usual
  const cut = (edge, side) => Math.min(side + away, Math.max(-away, edge));
  const [left, top, right, bottom] = [cut(x, stageWidth), cut(y, stageHeight), cut(x + w, stageWidth), cut(y + h, stageHeight)];
  return [left, top, right - left, bottom - top];
}

function isBeyond(film, rect) {
  const [left, top, right, bottom] = edgesOf(rect);
  const rounding = 1e-9 * Math.max(film.width, film.height); // an edge on the border that a division has moved
  return left < -rounding || top < -rounding || right > film.width + rounding || bottom > film.height + rounding;
}

// The film and whatever reaches beyond it, so that a box outside the film is seen in a margin, not lost. A box that claims to
// be miles away must not shrink the film to a dot: up to half a film around it is shown, and nothing for what lies farther.
function boundsOf(film, boxes) {
  const reach = { x: REACH * film.width, y: REACH * film.height };
  const most = { left: -reach.x, top: -reach.y, right: film.width + reach.x, bottom: film.height + reach.y };
  const bounds = { left: 0, top: 0, right: film.width, bottom: film.height };
  for (const { rect, hasArea } of boxes) {
    if (!rect) continue;
    const [left, top, right, bottom] = edgesOf(hasArea ? rect : [rect[0], rect[1], 0, 0]); // a marker stands on the corner
    if (right < most.left || left > most.right || bottom < most.top || top > most.bottom) continue;
    bounds.left = Math.max(most.left, Math.min(bounds.left, left));
    bounds.top = Math.max(most.top, Math.min(bounds.top, top));
    bounds.right = Math.min(most.right, Math.max(bounds.right, right));
    bounds.bottom = Math.min(most.bottom, Math.max(bounds.bottom, bottom));
  }
  return { ...bounds, filmPixel: pixelOf(film) };
}

// How many pixels of the film's file lie on one of its frame: fewer than 1 in a reduced copy.
function pixelOf({ size, picture }) {
  return size ? size[0] / picture[2] : 1;
}

function fit(view, bounds, stageWidth, stageHeight) {
  const margin = 8;
  const width = bounds.right - bounds.left;
  const height = bounds.bottom - bounds.top;
  const room = [Math.max(1, stageWidth - 2 * margin), Math.max(1, stageHeight - 2 * margin)];
  view.scale = Math.min(room[0] / width, room[1] / height);
  // Whatever the frame's size, the fitted film is within the limits: a step from it is never a leap.
  const [least, most] = LIMITS.map((limit) => limit * (bounds.filmPixel || 1));
  view.limits = [Math.min(least, view.scale), Math.max(most, view.scale)];
  view.x = (stageWidth - width * view.scale) / 2 - bounds.left * view.scale;
  view.y = (stageHeight - height * view.scale) / 2 - bounds.top * view.scale;
  view.fitted = true;
}

// Zoom so that the film's point under (x, y) of the stage stays there.
function zoomAt(view, x, y, scale) {
  const [filmX, filmY] = toFilm(view, x, y);
  const [least, most] = view.limits;
  view.scale = Math.min(most, Math.max(least, scale));
  view.x = x - filmX * view.scale;
  view.y = y - filmY * view.scale;
  view.fitted = false;
}

function panBy(view, dx, dy) {
  view.x += dx;
  view.y += dy;
  view.fitted = false;
}
