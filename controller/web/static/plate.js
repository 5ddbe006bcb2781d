// The plate on the table: what the room should know or do now. Each phase has its own; in play it is empty unless something waits.

import { inWords } from "./awards.js";
import { h } from "./dom.js";
import * as evening from "./evening.js";
import { inNames } from "./sides.js";
import { number, t } from "./texts.js";

function nameOf(score, id) {
  return score.sides.find((side) => side.id === id)?.name ?? "";
}

function idle(score) {
  const last = evening.lastGame(score.game);
  const best = evening.bestTurn(score.game);
  return {
    title: t("idleTitle"),
    lines: [last && t(last.draw ? "idleDraw" : "idleLast", last), best && t(`best.${score.game}`, best)],
  };
}

function over(score, { rules, told }) {
  const { winner, draw, double, rule } = score.over ?? { draw: true };
  // Whoever changes hands at maw loses, whatever the score: the winner's points come first, be they fewer.
  const [first, second] = [...score.sides].sort((a, b) => (b.id === winner) - (a.id === winner) || b.score - a.score);
  return {
    title: draw ? t("drawTitle") : t("overTitle", { name: nameOf(score, winner) }),
    lines: [
      score.sides.length === 2 && t("overScore", { high: number(first.score), low: number(second.score) }),
      ...(told.length ? told : [double ? t("overDouble") : inWords(rules, rule)]),
      score.provisional && t("provisionalResult"),
    ],
  };
}

const PHASES = {
  idle,
  arming: ({ game }) => ({ title: t(`arming.${game}`), lines: [] }),
  playing: () => ({ title: "", lines: [] }),
  clearing: (score) => ({ title: t(`clearing.${score.game}`), lines: [score.turn && t("clearingNext", { name: nameOf(score, score.turn) })] }),
  paused: () => ({ title: t("pausedTitle"), lines: [t("pausedLine")] }),
  over,
  abandoned: () => ({ title: t("abandonedTitle"), lines: [t("abandonedLine")] }),
};

// The room need not read every answer: where there are many, or long ones, it is told the likely one.
const MOST_CHOICES = 4;
const ROOM_FOR_CHOICES = 40;

function questionOf({ text, choices, likely, offered }) {
  // Who presses the button at the table must see what it answers.
  const marked = offered || likely;
  const long = choices.map((choice) => choice.text).join("").length > ROOM_FOR_CHOICES;
  const told = long || choices.length > MOST_CHOICES ? choices.filter(({ choice }) => choice === marked) : choices;
  const tags = told.map(({ choice, text: words }) => h("li", { class: choice === marked ? "likely" : "" }, words));
  return h("div", { class: "question" }, h("small", {}, t("waitsForMarker")), h("p", {}, text), h("ul", {}, ...tags));
}

// One thing at a time while people clear the table; in play two, if they are short.
const MOST_NOTICES = { playing: 2, paused: 0 };
const ROOM_FOR_WORDS = 130;
const LONG_TITLE = 16;
const LONGEST_TITLE = 30;

function inRoom(texts, taken) {
  const fits = (place) => [...taken, ...texts.slice(0, place + 1)].join("").length <= ROOM_FOR_WORDS;
  return texts.filter((_, place) => (place === 0 && taken.length === 0) || fits(place));
}

function sizeOf({ length }) {
  if (length <= LONG_TITLE) return null;
  return length > LONGEST_TITLE ? "long longest" : "long";
}

export function createPlate() {
  const element = h("aside", { class: "plate", "aria-live": "polite" });
  let drawn = "";

  return {
    element,
    show(score, context) {
      const questions = context.questions.map((question) => ({ ...question, text: inNames(question.text, score.sides) }));
      const { title, lines: all } = PHASES[score.phase](score, context);
      // Beside a question there is room for the least of the rest.
      const lines = questions.length ? all.filter((_, place) => score.phase !== "clearing" && place !== 1) : all;
      const told = score.notices.slice(0, MOST_NOTICES[score.phase] ?? 1).map((notice) => inNames(notice.text, score.sides));
      const notices = inRoom(told, questions.map((question) => question.text));
      const wanted = JSON.stringify([title, lines, notices, questions]);
      if (wanted === drawn) return;
      drawn = wanted;
      element.replaceChildren(
        ...(title ? [h("h3", { class: sizeOf(title) }, h("span", {}, title))] : []),
        ...lines.filter(Boolean).map((line) => h("p", {}, line)),
        ...notices.map((text) => h("p", { class: "notice" }, text)),
        ...questions.map(questionOf),
      );
      element.hidden = element.children.length === 0;
      document.body.classList.toggle("plated", !element.hidden);
    },
  };
}
