// The ground of fortification: places as on the plan of the rule book, a thousand long and half as wide, `along` from the English end,
// `across` from the left of who stands there. Lengthwise it is seen from a long side, upright from the English end: what is nearer
// lies lower and is a little larger, and what stands on it is drawn standing.

export const LENGTH = 1000;
export const WIDTH = 500;
export const SIDES = ["english", "french"];
export const ENEMY = { english: "french", french: "english" };
export const PASS = [500, 250];

const PLAN = {
  forts: { "advanced-1": [374, 136], "advanced-2": [374, 375], "reserved-1": [253, 80], "reserved-2": [253, 440], grand: [82, 258] },
  balls: { "defence-1": [178, 165], attack: [178, 258], "defence-2": [178, 350] },
};

function bothSides(plan) {
  const places = Object.entries(plan);
  return new Map(
    SIDES.flatMap((side) => places.map(([name, [along, across]]) => [`${side}-${name}`, [side === "english" ? along : LENGTH - along, across]])),
  );
}

export const FORTS = bothSides(PLAN.forts);
export const SPOTS = bothSides(PLAN.balls);
export const POCKETS = [0, LENGTH / 2, LENGTH].flatMap((along) => [0, WIDTH].map((across) => [along, across]));

// The forts that must have fallen before each may be attacked.
export const EARLIER = { advanced: [], reserved: ["advanced-1", "advanced-2"], grand: ["reserved-1", "reserved-2"] };

const LENGTHWISE = { width: 1824, height: 544, middle: 912, far: 128, deep: 350, wide: 1.7, narrowing: 0.06, thing: 1 };
const UPRIGHT = { width: 358, height: 470, middle: 179, far: 62, deep: 372, wide: 0.64, narrowing: 0.13, thing: 0.42 };

// Functions from places on the ground to drawing coordinates; `size` is how large a thing is drawn that stands there.
export function lie(upright) {
  const { width, height, middle, far, deep, wide, narrowing, thing } = upright ? UPRIGHT : LENGTHWISE;
  const near = (along, across) => (upright ? 1 - along / LENGTH : across / WIDTH);
  const size = (along, across) => 1 - narrowing * (1 - near(along, across));
  const at = (along, across) => {
    const aside = upright ? across - WIDTH / 2 : along - LENGTH / 2;
    return [middle + aside * wide * size(along, across), far + deep * near(along, across)];
  };
  const point = (along, across) => at(along, across).map((n) => n.toFixed(1)).join(" ");
  return {
    at,
    point,
    size: (along, across) => thing * size(along, across),
    // The edge of everything within so much of the bed, as a path.
    outline(ends, sides) {
      const corners = [[-ends, -sides], [LENGTH + ends, -sides], [LENGTH + ends, WIDTH + sides], [-ends, WIDTH + sides]];
      return `M${corners.map((corner) => point(...corner)).join(" L")} Z`;
    },
    // From the frontmost edge down: the side of the table that faces who looks.
    apron(ends, sides, height) {
      const edge = upright ? [[-ends, -sides], [-ends, WIDTH + sides]] : [[-ends, WIDTH + sides], [LENGTH + ends, WIDTH + sides]];
      const [[x1, y1], [x2, y2]] = edge.map(([along, across]) => at(along, across));
      return `M${x1} ${y1} L${x2} ${y2} L${x2 - height / 3} ${y2 + height} L${x1 + height / 3} ${y1 + height} Z`;
    },
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
  };
}
