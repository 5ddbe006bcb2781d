// The bagatelle board's measures: the bed is 1000 long from its round end; places as on the board that the rule book describes.
// `along` runs from the round end to the player, `across` from the player's left. Lengthwise the round end lies to the right,
// upright it stands on top, as the player sees it.

export const LENGTH = 1000;
export const WIDTH = 260;
export const CUSHION = 9;
export const RAIL = 60;
export const CUP = 23;
export const SPOT_A = 355;
export const HALF_WAY = 500;
export const SPOT_B = 845;

const CENTRE = 136;
const RING = 100;
// Clockwise from the cup farthest from the player.
const ROUND = [5, 2, 7, 6, 1, 4, 8, 3];

export const CUPS = new Map([
  [9, [CENTRE, WIDTH / 2]],
  ...ROUND.map((cup, eighth) => {
    const angle = (eighth * Math.PI) / 4;
    return [cup, [CENTRE - RING * Math.cos(angle), WIDTH / 2 + RING * Math.sin(angle)]];
  }),
]);

// Peg holes: sixty up and sixty down each rail, in groups of five, the first and the last nearest the player.
const FIRST_HOLE = 848;
const PITCH = 10.6;
const GROUP_GAP = 7.4;
const UP_ROW = 38.5;
const DOWN_ROW = 20.5;
export const HOLES = 120;
export const CORNER = 60;

function holeAlong(row) {
  return FIRST_HOLE - (row - 1) * PITCH - Math.floor((row - 1) / 5) * GROUP_GAP;
}

// Place of a hole on the rail of side 0 (the player's left) or 1. Hole 0 is where a peg waits before its first point.
export function hole(side, number) {
  const down = number > CORNER;
  const along = number === 0 ? FIRST_HOLE + 2.2 * PITCH : holeAlong(down ? HOLES + 1 - number : number);
  const out = CUSHION + (down ? DOWN_ROW : UP_ROW);
  return [along, side === 0 ? -out : WIDTH + out];
}

// Totals beyond the last hole go round again.
export function holeOf(total) {
  return total <= 0 ? 0 : ((total - 1) % HOLES) + 1;
}

// Functions from board places to drawing coordinates.
export function lie(upright) {
  const at = upright ? (along, across) => [across, along] : (along, across) => [LENGTH - along, across];
  const point = (along, across) => at(along, across).map((n) => n.toFixed(1)).join(" ");
  return {
    at,
    point,
    // The outline of everything within `out` of the bed, round at the far end. Both ways of lying are turns of one another,
    // so the arc bends the same way in both.
    outline(out) {
      const radius = WIDTH / 2 + out;
      return (
        `M${point(LENGTH + out, -out)} L${point(WIDTH / 2, -out)} ` +
        `A${radius} ${radius} 0 0 1 ${point(WIDTH / 2, WIDTH + out)} L${point(LENGTH + out, WIDTH + out)} Z`
      );
    },
    viewBox() {
      const edge = RAIL + CUSHION + 2;
      return upright ? `${-edge} ${-edge} ${WIDTH + 2 * edge} ${LENGTH + 2 * edge}` : `${-edge} ${-edge} ${LENGTH + 2 * edge} ${WIDTH + 2 * edge}`;
    },
  };
}
