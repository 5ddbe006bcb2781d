// The history: finished games by the page, the best turns, and players, who can be forgotten.

import { h, setText } from "../dom.js";
import { language, number, t } from "../texts.js";
import { button } from "../marker/button.js";
import { createForgetting } from "./forgetting.js";
import { gameName, read, when } from "./reading.js";

document.documentElement.lang = language;
const page = document.getElementById("page");
const alert = h("p", { class: "alert", role: "alert" });
const best = h("div", { class: "best" });
const games = h("ol", { class: "games" });
const rows = h("tbody");
const said = h("p", { class: "none", role: "status" });
const heads = ["player", "played", "won", "bestTurn"].map((key) => h("th", { scope: "col" }, t(`history.${key}`)));
const table = h("table", {}, h("thead", {}, h("tr", {}, ...heads, h("td"))), rows);
const forgetting = createForgetting(reload);
let before = null;
let from = 0;

const moreGames = button(t("history.earlier"), showGames, { class: "more" });
const morePlayers = button(t("history.morePlayers"), showPlayers, { class: "more" });
page.append(
  h("nav", { class: "ways", "aria-label": t("history.ways") }, h("a", { href: "/" }, t("history.toBoard")), h("a", { href: "/marker" }, t("history.toMarker"))),
  h("h1", {}, t("history.title")),
  alert,
  said,
  h(
    "main",
    {},
    h("section", { id: "games", hidden: "" }, h("h2", {}, t("history.games")), games, moreGames),
    h("section", { id: "best", hidden: "" }, h("h2", {}, t("history.best")), best),
    h("section", { class: "players", id: "players", hidden: "" }, h("h2", {}, t("history.players")), table, morePlayers),
  ),
);
document.body.append(...forgetting.elements);
setText(document.querySelector("title"), t("history.title"));

function gameRow(one) {
  const marks = [
    one.over ? null : t("history.unfinished"),
    one.draw ? t("history.draw") : null,
    one.double ? t("history.double") : null,
    one.corrected ? t("corrected") : null,
  ].filter(Boolean);
  const sides = one.sides.map(({ name, score, won, first }) =>
    h("span", { class: won ? "won" : "" }, `${name} ${number(score)}`, first === null ? null : h("small", {}, ` ${t("history.was", { n: number(first) })}`)),
  );
  return h(
    "li",
    {},
    h(
      "a",
      { href: `/history/${one.number}` },
      h("small", {}, when(one.ended)),
      h("span", { class: "sides" }, ...sides),
      h("small", { class: "marks" }, marks.join(", ")),
    ),
  );
}

async function showGames() {
  const told = await read(before === null ? "/api/history/games" : `/api/history/games?before=${before}`);
  setText(alert, told.error ?? "");
  if (told.error) return;
  games.append(...told.games.map(gameRow));
  before = told.next;
  moreGames.hidden = before === null;
  document.getElementById("games").hidden = !games.children.length;
  if (!games.children.length) setText(said, t("history.none"));
}

function bestList(turns, key) {
  return Object.entries(turns).map(([game, found]) =>
    h(
      "section",
      {},
      h("h3", {}, t(`history.${key}`, { what: t(`history.turns.${game}`), game: gameName(game) })),
      h(
        "ol",
        {},
        ...found.map(({ points, name, number, ended }) =>
          h("li", {}, h("a", { href: `/history/${number}` }, h("b", {}, points), h("span", {}, name), h("small", {}, when(ended, { day: "numeric", month: "short" })))),
        ),
      ),
    ),
  );
}

function playerRow({ name, games: played, won, best: turns }) {
  const top = Object.entries(turns)
    .map(([game, points]) => (Object.keys(turns).length > 1 ? `${points} (${gameName(game)})` : points))
    .join(", ");
  const forget = button(t("history.forget"), () => forgetting.ask(name), { "aria-label": t("history.forgetOne", { name }), "aria-haspopup": "dialog" });
  return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, played), h("td", {}, won), h("td", {}, top), h("td", {}, forget));
}

async function showPlayers() {
  const told = await read(`/api/history?from=${from}`);
  setText(alert, told.error ?? "");
  if (told.error) return;
  if (from === 0) best.replaceChildren(...bestList(told.best.evening, "evening"), ...bestList(told.best.ever, "ever"));
  rows.append(...told.players.map(playerRow));
  from = told.next ?? from;
  morePlayers.hidden = told.next === null;
  document.getElementById("players").hidden = !rows.children.length;
  document.getElementById("best").hidden = !best.children.length;
}

async function reload(words) {
  [before, from] = [null, 0];
  games.replaceChildren();
  rows.replaceChildren();
  setText(said, words ?? "");
  await Promise.all([showGames(), showPlayers()]);
  page.dataset.read = "true";
}

reload();
