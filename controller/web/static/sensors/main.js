// The installer's view: every input as it moves.

import { connect, SILENCE_MS } from "../connection.js";
import { h, setAttribute, setText } from "../dom.js";
import { button } from "../marker/button.js";
import { language, locale, t } from "../texts.js";
import { createClock } from "./clock.js";
import { createOutputs } from "./outputs.js";
import { createRow } from "./row.js";

const KINDS = ["alive", "inputs", "health", "trace"];
const FILTERS = ["all", "ill", "untried"];
const IN_PLAY = new Set(["playing", "clearing"]);

document.documentElement.lang = language;
const page = document.getElementById("page");
const plate = document.getElementById("link");
const version = document.querySelector("meta[name=version]").content;
const clock = createClock();
const still = matchMedia("(prefers-reduced-motion: reduce)");
const title = h("h1");
const warning = h("p", { class: "warning" });
const latest = h("p", { class: "latest", role: "status" });
const faults = h("ul", { class: "faults", "aria-label": t("installer.faults") });
const list = h("ul", { class: "inputs" });
const empty = h("p", { class: "empty" });
const sources = h("ul", { class: "sources", "aria-label": t("installer.sources") });
const outputs = h("div");
let rows = new Map();
let byChannel = new Map();
let first = true;
let filter = "all";
let heard = -Infinity;

const filters = FILTERS.map((name) =>
  button(
    "",
    () => {
      filter = name;
      sift();
    },
    { "aria-pressed": String(name === filter), "data-filter": name },
  ),
);
const keys = ["raw", "state", "settle", "lockout", "threshold", "judge"];
page.append(
  h("header", {}, title, h("p", { class: "lead" }, t("installer.lead")), warning, latest),
  faults,
  h("nav", { class: "filters", "aria-label": t("installer.show") }, ...filters),
  h("main", {}, list, empty),
  h(
    "footer",
    {},
    outputs,
    sources,
    h("ul", { class: "key", "aria-label": t("installer.key") }, ...keys.map((key) => h("li", { class: key }, t(`installer.keys.${key}`)))),
  ),
);

function begin(told) {
  setText(title, t("installer.title", told));
  setText(document.querySelector("title"), t("installer.title", told));
  rows = new Map(told.inputs.map((input) => [input.sensor, createRow(input, told.span)]));
  byChannel = new Map([...rows.values()].flatMap((row) => row.input.channels.map((channel) => [channel, row])));
  list.replaceChildren(...[...rows.values()].map((row) => row.element));
  outputs.replaceChildren(...(told.outputs.length ? [createOutputs(told.outputs)] : []));
  first = true;
  sift();
}

function sift() {
  const wanted = { all: () => true, ill: (row) => row.ill, untried: (row) => row.untried };
  const all = [...rows.values()];
  for (const row of all) row.element.hidden = !wanted[filter](row);
  for (const one of filters) {
    const name = one.dataset.filter;
    setText(one, t(`installer.filters.${name}`, { n: all.filter(wanted[name]).length }));
    setAttribute(one, "aria-pressed", String(name === filter));
  }
  setText(empty, !all.length ? t("installer.noInputs") : all.some((row) => !row.element.hidden) ? "" : t("installer.none"));
}

function takeHealth({ phase, sensors, sources: told, faults: sentences }) {
  for (const one of sensors) rows.get(one.sensor)?.health(one);
  const playing = IN_PLAY.has(phase);
  setText(warning, t(playing ? "installer.inPlay" : phase === "arming" ? "installer.arming" : "installer.safe"));
  setAttribute(warning, "data-playing", playing || phase === "arming");
  faults.replaceChildren(...sentences.map((sentence) => h("li", {}, sentence)));
  sources.replaceChildren(
    ...told.map(({ source, up, lost, recovered }) =>
      h(
        "li",
        { class: up ? "" : "away" },
        [
          `${source}: ${t(up ? "installer.up" : "installer.away")}`,
          t("installer.sourceLost", { n: lost }),
          t("installer.sourceRecovered", { n: recovered }),
        ].join(", "),
      ),
    ),
  );
  sift();
}

function takeTrace({ now, levels, signals = [], changes = [], seen = [], verdicts = [] }) {
  clock.hear(now);
  if (levels) for (const row of rows.values()) row.begin(levels);
  const news = new Map();
  for (const signal of signals) {
    const row = byChannel.get(signal[1]);
    if (row) news.set(row, [...(news.get(row) ?? []), signal]);
  }
  for (const [row, own] of news) row.signals(own, first);
  for (const change of changes) byChannel.get(change[2])?.change(change, first);
  let words = "";
  for (const verdict of verdicts) words = rows.get(verdict[2])?.judge(verdict) ?? words;
  // What the game is told is said last: it counts more than why a bell beside it is not told.
  for (const [, , sensor, kind, value, late] of seen) words = rows.get(sensor)?.seen(kind, value, late) ?? words;
  if (words && !first) setText(latest, words);
  first = false;
  draw();
}

function draw() {
  const now = clock.now();
  for (const row of rows.values()) row.draw(now);
}

function check() {
  const silent = performance.now() - heard;
  const state = heard === -Infinity ? "waiting" : silent > SILENCE_MS ? "dead" : "live";
  document.body.dataset.link = state;
  const time = new Date(Date.now() - silent).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
  setText(plate, state === "live" ? "" : state === "waiting" ? t("connecting") : t("notLive", { time }));
}

connect(
  "/api/sensors",
  (kind, text) => {
    const told = JSON.parse(text);
    heard = performance.now();
    if (kind === "inputs") begin(told);
    else if (kind === "health") takeHealth(told);
    else if (kind === "trace") takeTrace(told);
    else if (told.version !== version) location.reload();
    check();
  },
  KINDS,
);
setInterval(check, 500);
let drawn = 0;
// Strips that creep say that the page lives; for those who want nothing to move they are drawn once a second.
setInterval(() => {
  const due = performance.now() - drawn > (still.matches ? 1000 : 100);
  if (!due || document.visibilityState !== "visible" || document.body.dataset.link !== "live") return;
  drawn = performance.now();
  draw();
}, 100);
