// How near the squails lie: what was measured, in millimetres from rim to rim, nearest first, and which of them count.

import { total } from "../awards.js";

export function sideOf(squail) {
  return squail.split("-s")[0];
}

export function numberOf(squail) {
  return squail.split("-s")[1];
}

function lies(status) {
  return status !== "in_hand" && status !== "out";
}

// Whether all squails have been played and nobody is to play.
export function ended({ position }) {
  return position.to_play === null && !Object.values(position.squails).includes("in_hand");
}

// The clear distances as a camera sees them; null where it sees nothing.
export function gapsSeen({ seen: { target, squails } }, ground) {
  if (!target || !isSeen(squails)) return null;
  const gap = ([x, y]) => Math.max(0, Math.hypot(x - target[0], y - target[1]) - ground.squail - ground.target);
  return Object.fromEntries(Object.entries(squails).map(([squail, place]) => [squail, gap(place)]));
}

export function isSeen(squails) {
  return Object.keys(squails ?? {}).length > 0;
}

// How the round in play was measured, from the list of the game's events: {gaps, awards}, `awards` being null where captains have
// settled it otherwise since; null while it has not been measured.
export function measured(events) {
  const standing = events.filter(({ fate }) => fate === "stands");
  const place = standing.findLastIndex(({ event }) => event.event === "round_end" || event.event === "new_round");
  const found = standing[place];
  // What people have counted nobody has measured: its event says so in a note.
  if (found?.event.event !== "round_end" || found.event.note) return null;
  const settled = standing.slice(place + 1).some(({ awards }) => awards.length > 0);
  return { gaps: found.event.gaps_mm, awards: settled ? null : found.awards };
}

// [{squail, side, gap, within, counts}], nearest first. A squail counts that lies within the gauge and nearer than any other side's;
// of two sides level at the nearest none does, or in some houses both.
export function nearest(gaps, { options, position }) {
  const known = Object.entries(gaps).filter(([squail, gap]) => typeof gap === "number" && lies(position.squails[squail]));
  const rows = known.map(([squail, gap]) => ({ squail, side: sideOf(squail), gap, within: gap <= options.gauge_mm }));
  rows.sort((one, other) => one.gap - other.gap || one.squail.localeCompare(other.squail));
  const [first] = rows;
  const enemy = rows.find((row) => row.side !== first.side);
  const level = enemy && enemy.gap === first.gap;
  const counts = (row) =>
    row.within &&
    position.squails[row.squail] !== "null" &&
    (level ? options.level === "split" && row.gap === first.gap : row.side === first.side && (!enemy || row.gap < enemy.gap));
  for (const row of rows) row.counts = counts(row);
  return rows;
}

// Whether what counts here is what the round gave.
export function asAwarded(rows, awards) {
  const sides = new Set([...rows, ...awards].map(({ side }) => side));
  return [...sides].every((side) => total(awards, side) === rows.filter((row) => row.counts && row.side === side).length);
}
