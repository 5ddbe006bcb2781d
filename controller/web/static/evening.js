// What the room likes to be reminded of between games: the last result and the best turn since the evening began.

import { total } from "./awards.js";

const EVENING_MS = 10 * 3600 * 1000;

function recall(key) {
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "null");
  return kept !== null && Date.now() - kept.when < EVENING_MS ? kept : null;
}

function keep(key, value) {
  sessionStorage.setItem(key, JSON.stringify({ ...value, when: Date.now() }));
}

export function remember(score) {
  if (score.over && score.phase === "over" && !score.provisional) {
    const ranked = [...score.sides].sort((a, b) => b.score - a.score);
    const winner = score.sides.find((side) => side.id === score.over.winner) ?? ranked[0];
    const loser = ranked.find((side) => side !== winner);
    keep("lastGame", { game: score.game, draw: score.over.draw, winner: winner.name, high: winner.score, loser: loser.name, low: loser.score });
  }
  if (!score.last?.banked || score.provisional) return;
  for (const { id, name } of score.sides) {
    const points = total(score.last.awards, id);
    if (points > (bestTurn(score.game)?.points ?? 0)) keep(`bestTurn ${score.game}`, { points, name });
  }
}

export function lastGame(game) {
  const kept = recall("lastGame");
  return kept?.game === game ? kept : null;
}

export function bestTurn(game) {
  return recall(`bestTurn ${game}`);
}
