// Where things lie on the squails table as it is drawn, in millimetres from its middle: seats round it, squails in hand before the
// seats, the others as they are seen, or in a ring of their own where nothing sees them. Seat 1 is nearest to who looks; `y` runs
// away from it on the table, and down on the screen.

import { isSeen, sideOf } from "./near.js";

const IN_HAND = 52; // out from the edge
const SEATS = 136;
const UNSEEN = 0.55; // of the way from the middle to the edge

// The table that the rule book draws, with its pieces' radii, unless the table's own measures come with what is seen.
export function groundOf({ seen: { ground } }) {
  const { width = 1200, depth = width, round = true, squail = 50.8, target = 25.4 } = ground ?? {};
  return { width, depth, round, squail: squail / 2, target: target / 2, reach: Math.max(width, depth) / 2 };
}

// The seats in order of play, which is sunwise: the first nearest to who looks, the next on his left.
export function seatsOf({ options: { players }, sides }, ground) {
  const paired = players % 2 === 0;
  return Array.from({ length: players }, (_, n) => {
    const angle = Math.PI / 2 + (n * 2 * Math.PI) / players;
    const side = paired ? sides[n % 2].id : sides[n].id;
    const player = paired ? `${side}-${Math.floor(n / 2) + 1}` : side;
    return { player, side, angle, place: beyond(ground, angle, SEATS) };
  });
}

function polar(radius, angle) {
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

// A place so far out from the table's edge in that direction.
function beyond({ width, depth, round }, angle, out) {
  const edge = round ? width / 2 : Math.min(width / 2 / Math.abs(Math.cos(angle)), depth / 2 / Math.abs(Math.sin(angle)));
  return polar(edge + out, angle);
}

export function onScreen([x, y]) {
  return [x, -y];
}

// squail → {place, seen}; squails that are nowhere to be seen are left out.
export function placesOf(score, seats, ground) {
  const { position, seen } = score;
  const places = new Map();
  for (const { id } of score.sides) {
    const waiting = Object.keys(position.squails).filter((squail) => sideOf(squail) === id && position.squails[squail] === "in_hand");
    const own = seats.filter((seat) => seat.side === id);
    own.forEach((seat, n) => {
      const hand = waiting.filter((_, place) => place % own.length === n);
      const apart = Math.min(0.13, (1.5 * Math.PI) / seats.length / Math.max(1, hand.length));
      hand.forEach((squail, place) => {
        places.set(squail, { place: beyond(ground, seat.angle + (place - (hand.length - 1) / 2) * apart, IN_HAND), seen: true });
      });
    });
  }
  const played = Object.keys(position.squails).filter((squail) => !["in_hand", "out"].includes(position.squails[squail]));
  if (isSeen(seen.squails)) {
    for (const squail of played) if (seen.squails[squail]) places.set(squail, { place: onScreen(seen.squails[squail]), seen: true });
  } else {
    played.forEach((squail, n) => {
      places.set(squail, { place: polar(UNSEEN * ground.reach, Math.PI / 2 + (n * 2 * Math.PI) / played.length), seen: false });
    });
  }
  return places;
}

// Squails round the target, in millimetres from its middle: where they are seen, else at their distance in directions spread evenly.
export function placesNear(rows, { seen }, ground, reach) {
  const shown = rows.filter(({ gap }) => gap + ground.target + ground.squail / 2 < reach);
  const [tx, ty] = seen.target ?? [0, 0];
  return shown.map((row, n) => {
    const found = seen.squails?.[row.squail];
    const away = row.gap + ground.target + ground.squail;
    const place = found ? onScreen([found[0] - tx, found[1] - ty]) : polar(away, -Math.PI / 2 + (n * 2 * Math.PI) / shown.length);
    return { ...row, place };
  });
}
