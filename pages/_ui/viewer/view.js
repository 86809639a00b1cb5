// Where the film is on the screen: one scale and one offset, from film pixels (edges on whole numbers, origin at the top
// left) to pixels of the stage. Everything that is drawn goes through here, so the picture and its boxes cannot part.

function makeView() {
  return { scale: 1, x: 0, y: 0, fitted: true };
}

function toStage(view, x, y) {
  return [x * view.scale + view.x, y * view.scale + view.y];
}

function toFilm(view, x, y) {
  return [(x - view.x) / view.scale, (y - view.y) / view.scale];
}

// The film and whatever reaches beyond it, so that a box outside the film is seen in a margin, not lost.
function boundsOf(film, boxes) {
  const bounds = { left: 0, top: 0, right: film.width, bottom: film.height };
  for (const { rect } of boxes) {
    if (!rect) continue;
    const [x, y, w, h] = rect;
    bounds.left = Math.min(bounds.left, x, x + w);
    bounds.top = Math.min(bounds.top, y, y + h);
    bounds.right = Math.max(bounds.right, x, x + w);
    bounds.bottom = Math.max(bounds.bottom, y, y + h);
  }
  // A box that claims to be miles away must not shrink the film to a dot: show up to half a film around it.
  const reach = { x: film.width / 2, y: film.height / 2 };
  return {
    left: Math.max(bounds.left, -reach.x),
    top: Math.max(bounds.top, -reach.y),
    right: Math.min(bounds.right, film.width + reach.x),
    bottom: Math.min(bounds.bottom, film.height + reach.y),
  };
}

function fit(view, bounds, stageWidth, stageHeight) {
  const margin = 8;
  const width = bounds.right - bounds.left;
  const height = bounds.bottom - bounds.top;
  const room = [Math.max(1, stageWidth - 2 * margin), Math.max(1, stageHeight - 2 * margin)];
  view.scale = Math.min(room[0] / width, room[1] / height);
  view.x = (stageWidth - width * view.scale) / 2 - bounds.left * view.scale;
  view.y = (stageHeight - height * view.scale) / 2 - bounds.top * view.scale;
  view.fitted = true;
}

// Zoom so that the film's point under (x, y) of the stage stays there.
function zoomAt(view, x, y, scale) {
  const [filmX, filmY] = toFilm(view, x, y);
  view.scale = Math.min(64, Math.max(0.02, scale));
  view.x = x - filmX * view.scale;
  view.y = y - filmY * view.scale;
  view.fitted = false;
}

function panBy(view, dx, dy) {
  view.x += dx;
  view.y += dy;
  view.fitted = false;
}
