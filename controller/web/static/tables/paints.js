// The paints that drawn tables share: mahogany, baize, brass, balls.

import { svg } from "../dom.js";

function stop(offset, color) {
  return svg("stop", { offset, "stop-color": color });
}

// `stops` are [offset, colour].
export function linear(id, [x1, y1, x2, y2], ...stops) {
  return svg("linearGradient", { id, x1, y1, x2, y2 }, ...stops.map((pair) => stop(...pair)));
}

export function radial(id, [cx, cy, r], ...stops) {
  return svg("radialGradient", { id, cx, cy, r }, ...stops.map((pair) => stop(...pair)));
}

export function ballPaint(id, light, middle, dark) {
  return radial(id, [0.36, 0.3, 0.75], [0, light], [0.35, middle], [1, dark]);
}

export function mahogany(upright) {
  const across = upright ? [0, 0, 1, 0] : [0, 0, 0, 1];
  return linear("mahogany", across, [0, "#7a3b1e"], [0.1, "#5b2613"], [0.5, "#4a1d0f"], [0.9, "#57240f"], [1, "#35130a"]);
}

// A few long flames of a darker brown, laid side by side along the board.
export function grain(upright) {
  const flames = ["M0 6 C60 2 120 12 240 7", "M0 16 C80 22 150 12 240 18", "M0 27 C50 24 170 33 240 28", "M0 38 C90 43 130 34 240 39"];
  return svg(
    "pattern",
    { id: "grain", width: 240, height: 44, patternUnits: "userSpaceOnUse", patternTransform: upright ? "rotate(90)" : null },
    ...flames.map((d, n) => svg("path", { d, fill: "none", stroke: n % 2 ? "#a0592f" : "#1e0803", "stroke-width": 1.3 + n * 0.4, opacity: 0.28 })),
  );
}

export function baize(cx, cy) {
  return radial("baize", [cx, cy, 0.75], [0, "#2a7d59"], [0.55, "#1f6748"], [1, "#134530"]);
}

export function brass() {
  return linear("brass", [0, 0, 1, 1], [0, "#f3d999"], [0.5, "#c9973f"], [1, "#8d6526"]);
}
