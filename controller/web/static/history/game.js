// A finished game, stepped through: the table after each event, the event in words, and what each point rests on.

import { inWords } from "../awards.js";
import { h, setAttribute, setText } from "../dom.js";
import { button, enable } from "../marker/button.js";
import { describe, nameOf, setNames } from "../marker/words.js";
import { createTable } from "../tables/register.js";
import { inNames } from "../sides.js";
import { language, number as written, signed, t } from "../texts.js";
import { gameName, read, when } from "./reading.js";

const LONG = 90; // letters of an event that are set smaller

document.documentElement.lang = language;
const number = location.pathname.split("/").at(-1);
const page = document.getElementById("page");
const alert = h("p", { class: "alert", role: "alert" });
const title = h("h1");
const scores = h("div", { class: "scores" });
const place = h("div", { class: "place" });
const told = h("section", { class: "told", "aria-live": "polite" });
const after = h("section", { class: "after" });
const slider = h("input", { type: "range", min: 0, max: 0, value: 0 });
const where = h("span");
const previous = button(t("history.previous"), () => go(step - 1), { class: "previous" });
const next = button(t("history.next"), () => go(step + 1), { class: "next" });
const states = new Map();
let game = null;
let rules = {};
let table = null;
let step = 0;

page.append(
  h("nav", { class: "ways", "aria-label": t("history.ways") }, h("a", { href: "/history" }, t("history.all")), h("a", { href: "/" }, t("history.toBoard"))),
  title,
  alert,
  h("main", { class: "stage" }, scores, place, told),
  after,
  h("nav", { class: "steps", "aria-label": t("history.steps") }, previous, h("label", {}, where, slider), next),
);

async function stateOf(index) {
  if (!states.has(index)) {
    const answer = await read(`/api/history/games/${number}/states?from=${Math.max(0, index - 10)}`);
    setText(alert, answer.error ?? "");
    answer.states?.forEach((state, place_) => states.set(answer.first + place_, state));
  }
  return states.get(index);
}

function drawScores({ sides, turn }) {
  scores.replaceChildren(
    ...sides.map(({ id, name, score, pending }) =>
      h("p", { class: id === turn ? "in-turn" : "", "aria-current": id === turn }, name, h("b", {}, written(score)), pending ? h("em", {}, `${signed(pending)} ${t("stake")}`) : null),
    ),
  );
}

function awardLine({ side, points, rule, why: given }, banked) {
  const why = inNames(given, game.sides);
  const words = inWords(rules, rule);
  return h(
    "div",
    { class: banked ? "award" : "award out" },
    h("p", {}, h("b", {}, `${signed(points)} ${nameOf(side)}`), banked ? "" : ` (${t("notBanked")})`, ` ${why}`),
    h("small", {}, words && words !== why ? `${rule}: ${words}` : rule),
  );
}

function drawTold() {
  if (step === 0) {
    told.replaceChildren(h("h2", {}, t("history.opening")), h("p", { class: "meta" }, when(game.started)));
    return;
  }
  const { listed, because } = game.events[step - 1];
  const words = describe(listed.event);
  const fate = listed.fate !== "stands" ? t(`marker.fateLines.${listed.fate}`) : listed.put_in ? t("history.putIn") : "";
  told.replaceChildren(
    h("h2", { class: words.length > LONG ? "long" : "" }, words),
    h("p", { class: "meta" }, [listed.turn ? t("history.turnOf", { name: nameOf(listed.turn) }) : "", when(listed.at, { hour: "2-digit", minute: "2-digit" })].filter(Boolean).join(" · ")),
    ...listed.awards.map((award) => awardLine(award, listed.banked)),
    ...(listed.refusal ? [h("p", { class: "fate" }, `${inNames(listed.refusal.text, game.sides)} (${listed.refusal.rule})`)] : []),
    ...(fate ? [h("p", { class: "fate" }, fate)] : []),
    ...(listed.why ? [h("p", {}, t("marker.because", { why: listed.why }))] : []),
    ...(because ? [h("p", { class: "evidence" }, t("history.evidence", { what: because }))] : []),
  );
}

async function go(wanted) {
  step = Math.max(0, Math.min(wanted, game.events.length));
  const asked = step;
  const state = await stateOf(step === 0 ? 0 : game.events[step - 1].state);
  // Whoever presses quickly is further by now.
  if (!state || asked !== step) return;
  document.body.dataset.phase = state.phase;
  drawScores(state);
  drawTold();
  table.show({ ...state, retold: true }, { rules, correction: null, questions: [], told: [], events: game.events.slice(0, step).map(({ listed }) => listed) });
  slider.value = step;
  setText(where, t("history.step", { n: step, of: game.events.length }));
  setAttribute(slider, "aria-valuetext", where.textContent);
  enable(previous, step > 0);
  enable(next, step < game.events.length);
  history.replaceState(null, "", `#${step}`);
  page.dataset.step = step;
}

function section(heading, lines) {
  return lines.length ? [h("h2", {}, heading), h("ul", {}, ...lines.map((line) => h("li", {}, line)))] : [];
}

function drawAfter({ corrections, answers, first, sides }) {
  const score = (of) => sides.map(({ id, name }) => `${name} ${written(of[id])}`).join(", ");
  const now = Object.fromEntries(sides.map(({ id, score: points }) => [id, points]));
  after.replaceChildren(
    ...section(t("history.corrections"), [
      ...(corrections.length && first ? [t("history.firstKept", { score: score(first), now: score(now) })] : []),
      ...corrections.map(({ at, by, why }) => t("history.correction", { at: when(at), by, why })),
    ]),
    ...section(t("history.answers"), answers.map(({ question, answer, by }) => t(by === "deadline" ? "history.unanswered" : "history.answer", { question, answer, by }))),
  );
}

async function open() {
  const found = await read(`/api/history/games/${number}`);
  if (found.error) {
    setText(title, t("history.title"));
    setText(alert, found.error);
    document.querySelector(".steps").hidden = true;
    return;
  }
  game = found;
  setNames(game.sides);
  const winner = game.sides.find(({ id }) => id === game.over?.winner);
  setText(title, `${gameName(game.game)}: ${game.sides.map(({ name, score }) => `${name} ${written(score)}`).join(", ")}`);
  setText(document.querySelector("title"), title.textContent);
  rules = await read(`/api/rules/${game.game}`).then((words) => (words.error ? {} : words));
  table = createTable(game.game);
  place.replaceChildren(table.element);
  document.querySelector(".stage").dataset.game = game.game;
  slider.max = game.events.length;
  drawAfter(game);
  if (winner) after.prepend(h("p", {}, t("overTitle", winner)));
  await go(Number.parseInt(location.hash.slice(1), 10) || 0);
}

slider.addEventListener("input", () => go(Number(slider.value)));
addEventListener("hashchange", () => game && go(Number.parseInt(location.hash.slice(1), 10) || 0));
addEventListener("keydown", (event) => {
  if (!game || event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowRight: step + 1, ArrowLeft: step - 1, Home: 0, End: game.events.length }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  go(to);
});
open();
