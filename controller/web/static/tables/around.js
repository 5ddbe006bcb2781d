// Where things lie on the squails table as it is drawn: seats round it, squails in hand before the seats, the others as they are seen,
// or in a ring of their own where nothing sees them.

import { SQUAIL, TARGET, sideOf } from "./near.js";

export const TABLE = 600; // radius in millimetres of the round table that the rule book draws
const IN_HAND = 652;
const UNSEEN = 330;
const SEATS = 736;

// The seats in order of play, which is sunwise: the first nearest to who looks, the next on his left.
export function seatsOf({ options: { players }, sides }) {
  const paired = players % 2 === 0;
  return Array.from({ length: players }, (_, n) => {
    const angle = Math.PI / 2 + (n * 2 * Math.PI) / players;
    const side = paired ? sides[n % 2].id : sides[n].id;
    const player = paired ? `${side}-${Math.floor(n / 2) + 1}` : side;
    return { player, side, angle, place: polar(SEATS, angle) };
  });
}

export function polar(radius, angle) {
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

// squail → {place: [x, y] in millimetres from the table's middle, seen}; squails that are nowhere to be seen are left out.
export function placesOf(score, seats) {
  const { position, seen } = score;
  const places = new Map();
  const waiting = new Map(score.sides.map(({ id }) => [id, Object.keys(position.squails).filter((squail) => sideOf(squail) === id && position.squails[squail] === "in_hand")]));
  for (const [side, squails] of waiting) {
    const own = seats.filter((seat) => seat.side === side);
    own.forEach((seat, n) => {
      const hand = squails.filter((_, place) => place % own.length === n);
      const apart = Math.min(0.13, (1.5 * Math.PI) / seats.length / Math.max(1, hand.length));
      hand.forEach((squail, place) => {
        places.set(squail, { place: polar(IN_HAND, seat.angle + (place - (hand.length - 1) / 2) * apart), seen: true });
      });
    });
  }
  const unseen = [];
  for (const [squail, status] of Object.entries(position.squails)) {
    if (status === "in_hand" || status === "out") continue;
    const found = seen.squails?.[squail];
    if (found) places.set(squail, { place: found, seen: true });
    else if (seen.squails === undefined) unseen.push(squail);
  }
  unseen.forEach((squail, n) => {
    places.set(squail, { place: polar(UNSEEN, Math.PI / 2 + (n * 2 * Math.PI) / unseen.length), seen: false });
  });
  return places;
}

// Squails round the target, in millimetres from its middle: where they are seen, else at their distance in directions spread evenly.
export function placesNear(rows, { seen }, reach) {
  const shown = rows.filter(({ gap }) => gap + TARGET + SQUAIL < reach + SQUAIL / 2);
  const [tx, ty] = seen.target ?? [0, 0];
  return shown.map((row, n) => {
    const found = seen.squails?.[row.squail];
    const place = found ? [found[0] - tx, found[1] - ty] : polar(row.gap + TARGET + SQUAIL, -Math.PI / 2 + (n * 2 * Math.PI) / shown.length);
    return { ...row, place };
  });
}
