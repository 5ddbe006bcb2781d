// Events and their parts in plain words.

import { t } from "../texts.js";

const CARD = /^(10|[2-9AJQK])([HDCS])$/;
const SUITS = { H: "♥", D: "♦", C: "♣", S: "♠" };

let names = {};

// The sides as people called them.
export function setNames(sides) {
  names = Object.fromEntries(sides.map(({ id, name }) => [id, name]));
}

export function nameOf(side) {
  return names[side] ?? side;
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// A card as its suit and its rank; null for what is no card.
export function cardOf(value) {
  const [, rank, suit] = CARD.exec(value) ?? [];
  return rank === undefined ? null : [SUITS[suit], rank];
}

function part(word) {
  const squail = /^s(\d)$/.exec(word);
  if (squail) return t("marker.squail", { n: squail[1] });
  return t(`marker.parts.${word}`).replaceAll("_", " ");
}

// Any value of an event: "french-advanced-1" is "French advanced fort 1".
export function spoken(value) {
  if (value === null || value === undefined) return t("marker.out");
  if (typeof value === "boolean") return value ? t("marker.yes") : t("marker.no");
  if (Array.isArray(value)) return value.length ? value.map(spoken).join(", ") : t("marker.nothing");
  if (typeof value === "object") return said(value);
  if (typeof value === "number") return String(value);
  const card = cardOf(value);
  if (card) return `${card[1]}${card[0]}`;
  return names[value] ?? value.split("-").map(part).join(" ");
}

// A value that stands under a name: true or false are said by what they mean there.
export function spokenAs(key, value) {
  if (typeof value !== "boolean") return spoken(value);
  if (names[key] !== undefined) return `${names[key]}: ${spoken(value)}`;
  const words = t(`marker.flags.${key}.${value}`);
  return words === String(value) ? spoken(value) : words;
}

function said(object) {
  if (object.fact) return t(`marker.facts.${object.fact}`, wordsOf(object));
  if (object.ball && object.to) return t("marker.move", wordsOf(object));
  const pairs = Object.entries(object).map(([key, value]) =>
    typeof value === "boolean" ? spokenAs(key, value) : `${spoken(key)} ${spoken(value)}`,
  );
  return pairs.join(", ") || t("marker.nothing");
}

function wordsOf(object) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, spokenAs(key, value)]));
}

function shot({ ball, hit_black: hit, moves }) {
  const went = moves.some((move) => move.ball === ball);
  const played = hit || !went ? [`${spoken(ball)} ${t(hit ? "marker.struck" : "marker.notStruck")}`] : [];
  return [
    ...played,
    ...moves.map((move) => (hit && move.ball === ball ? t("marker.itself", { to: spoken(move.to) }) : spoken(move))),
  ].join("; ");
}

function stroke({ side, ball, facts, declared, hidden }) {
  const call = declared ? `${t("marker.declared")} (${t(hidden ? "marker.hidden" : "marker.notHidden")})` : "";
  const cue = ball === `${side}-attack` ? "" : t("marker.with", { ball: spoken(ball) });
  return [[nameOf(side), cue, call].filter(Boolean).join(" "), spoken(facts)].join(": ");
}

// A round that people have counted has no distances: what isn't out counts.
function roundEnd(event) {
  if (!event.note) return t("marker.says.round_end", wordsOf(event));
  const sides = Object.entries(event.gaps_mm)
    .filter(([, gap]) => gap !== null)
    .map(([squail]) => squail.split("-")[0]);
  const counts = [...new Set(sides)].map((side) => `${nameOf(side)} ${sides.filter((one) => one === side).length}`);
  return t("marker.says.round_counted", { counts: counts.join(", ") || t("marker.nothing") });
}

const WHOLE = { shot, stroke, round_end: roundEnd };

// An event in one line.
export function describe(event) {
  const whole = WHOLE[event.event];
  if (whole) return capital(whole(event));
  const said = t(`marker.says.${event.event}`, wordsOf(event));
  const more = Object.entries(event).filter(
    ([key, value]) => t(`marker.extras.${key}`) !== key && value !== false && value !== "still",
  );
  return capital(
    [said, ...more.map(([key, value]) => `${t(`marker.extras.${key}`)} ${value === true ? "" : spoken(value)}`.trim())].join(
      ", ",
    ),
  );
}
