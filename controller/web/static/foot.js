// The foot: what the last points were for, the rule in plain words and its id; what came before, fading; states never hidden.

import { lines, sidesOf, total } from "./awards.js";
import { h, setText } from "./dom.js";
import { inNames } from "./sides.js";
import { number, signed, t } from "./texts.js";

const MOST_LINES = 3;
const MOST_EARLIER = 4;
const ROOM_FOR_WORDS = 58;

export function createFoot() {
  const last = h("section", { class: "last", "aria-live": "polite" });
  const earlier = h("ol", { class: "earlier" });
  const why = h("small");
  const provisional = h("span", { class: "mark provisional" }, t("provisional"), " ", why);
  const unsaved = h("span", { class: "mark unsaved" }, t("notSaved"));
  const element = h("footer", { class: "foot" }, last, h("div", { class: "under" }, earlier, h("p", { class: "marks" }, provisional, unsaved)));
  let drawn = "";

  return {
    element,
    show(score, { rules, correction, questions }) {
      provisional.hidden = !score.provisional;
      setText(why, t(questions.length ? "provisionalAsked" : "provisionalYet"));
      unsaved.hidden = score.durable;
      // What wasn't banked when a game was given up never was.
      const entries = [score.last, ...score.earlier].filter((entry) => entry && (entry.banked || score.phase !== "abandoned"));
      const [latest, ...before] = entries;
      const wanted = JSON.stringify([entries, score.sides.map((side) => side.name), Object.keys(rules).length, correction]);
      if (wanted === drawn) return;
      drawn = wanted;
      if (correction) last.replaceChildren(correctionOf(correction, score));
      else if (latest) last.replaceChildren(...lastOf(latest, score, rules));
      else last.replaceChildren(h("p", { class: "none" }, t("nothingYet")));
      earlier.replaceChildren(...before.slice(0, MOST_EARLIER).map((entry) => earlierOf(entry, score)));
    },
  };
}

function nameOf(score, id) {
  return score.sides.find((side) => side.id === id)?.name ?? id;
}

function lastOf({ awards, banked }, score, rules) {
  const all = lines(awards, rules, score.sides);
  // Where there is no room for all, the weightiest are shown.
  if (all.length > MOST_LINES) all.sort((one, other) => Math.abs(other.points) - Math.abs(one.points));
  const rows = all.length > MOST_LINES ? all.slice(0, MOST_LINES - 1) : all;
  const rest = all.slice(rows.length);
  // Beside another reason there is room for one that takes two lines, set closer.
  const wordy = rows.length === 2 && !rest.length ? rows.map(({ parts, sentence }) => parts + sentence).filter((words) => words.length > ROOM_FOR_WORDS) : [];
  return [
    h(
      "div",
      { class: banked ? "sums" : "sums open" },
      ...sidesOf(awards).map((side) => h("p", {}, h("b", {}, signed(total(awards, side))), h("span", {}, nameOf(score, side)))),
      banked ? null : h("em", {}, t("notBanked")),
    ),
    h(
      "ul",
      { class: rows.length === MOST_LINES || rest.length || wordy.length ? "reasons close" : "reasons" },
      ...rows.map(({ parts, sentence, rule }) =>
        h(
          "li",
          { class: wordy.length === 1 && parts + sentence === wordy[0] ? "wordy" : null, title: sentence },
          parts && h("span", { class: "parts" }, parts),
          h("span", { class: "sentence" }, sentence),
          h("span", { class: "rule" }, rule),
        ),
      ),
      rest.length ? h("li", { class: "more" }, t("moreReasons", { n: rest.length, what: [...new Set(rest.map(({ rule }) => rule))].join(", ") })) : null,
    ),
  ];
}

function earlierOf({ awards }, score) {
  const ids = [...new Set(awards.map((award) => award.rule))].join(" ");
  const sums = sidesOf(awards).map((side) => h("span", {}, h("b", {}, signed(total(awards, side))), ` ${nameOf(score, side)} `));
  return h("li", {}, ...sums, h("small", {}, ids));
}

function correctionOf({ before, after, event }, score) {
  const changes = score.sides
    .filter(({ id }) => before?.[id] !== after?.[id])
    .map(({ id, name }) => h("span", {}, `${name} `, h("s", {}, number(before[id])), ` → ${number(after[id])}`));
  return h("p", { class: "correction" }, h("b", {}, t("correction")), ...changes, h("span", { class: "why" }, inNames(event?.why ?? "", score.sides)));
}
