// The row of one input. It lights up at the raw edge, before anything is made of it, and says what was made of it when that is known.

import { h, setAttribute, setText } from "../dom.js";
import { t } from "../texts.js";
import { createStrip } from "./strip.js";
import { createTrace } from "./trace.js";
import { countsOf, judgedOf, levelOf, madeOf, settingsOf } from "./words.js";

const LIT_MS = 1500;
const SOUND_MS = 300; // a board tells a bell's loudness every few milliseconds

export function createRow(input, span) {
  const traces = input.channels.map(createTrace);
  const strip = createStrip(input, span);
  const level = h("b", { class: "level" });
  const state = h("span", { class: "on" });
  const made = h("p", { class: "made" }, t("installer.waiting"));
  const counts = h("p", { class: "counts" });
  const health = h("ul", { class: "health" });
  const out = h("span", { class: "out", hidden: "" }, t("installer.leftOut"));
  const element = h(
    "li",
    { class: "row", "data-sensor": input.sensor, "data-kind": input.kind },
    h(
      "div",
      { class: "who" },
      h("h2", {}, input.sensor),
      h("p", { class: "wired" }, [input.kind, input.channels.join(" "), input.role === input.sensor ? "" : input.role].filter(Boolean).join(" · ")),
      h("p", { class: "settings" }, settingsOf(input)),
    ),
    h("p", { class: "now" }, level, state, out),
    strip.element,
    h("div", { class: "said" }, made, counts, health),
  );
  const sounds = input.kind === "bell" && input.form === "readings";
  // What has come in since the service last told its counts is added to them, so that all of the row speaks of one moment.
  let counted = { edges: 0, accepted: 0, late: 0, lost: 0 };
  const on = new Map();
  let quiet = true;
  let litUntil = 0;

  function tellCounts() {
    setText(counts, countsOf(input, counted));
    if (quiet) setText(made, t(counted.edges && input.settle ? "installer.unmade" : "installer.waiting"));
  }

  function tellState(on) {
    setText(state, on === null || input.kind === "bell" ? "" : t(`installer.states.${on ? "on" : "off"}`));
  }

  const row = {
    input,
    element,
    ill: false,
    untried: true,
    begin(levels) {
      traces.forEach((trace, place) => trace.begin(levels[input.channels[place]] ?? null, input.active));
    },
    signals(news, first) {
      for (const [at, channel, value] of news) {
        const trace = traces[input.channels.indexOf(channel)];
        if (first && !trace.raw.length) trace.before(value, input.active);
        trace.raw.push([at, value]);
      }
      if (first) return;
      litUntil = performance.now() + LIT_MS;
      counted.edges += news.length;
      tellCounts();
    },
    change([at, known, channel, state], first) {
      traces[input.channels.indexOf(channel)].changes.push([at, known, state]);
      on.set(channel, state);
      if (on.size === traces.length) tellState([...on.values()].some(Boolean));
      if (first) return;
      counted.accepted += 1;
      tellCounts();
    },
    // Gives what was made of it, in words.
    seen(kind, value, late) {
      const words = madeOf(input, kind, value);
      quiet = false;
      // Of a bell's ring the verdict has said more already.
      if (kind !== "ring") setText(made, late ? `${words} (${t("installer.late")})` : words);
      return `${input.sensor}: ${words}`;
    },
    judge([at, known, , kind, peak, kept]) {
      traces[0].verdicts.push([at, known, kind, peak, kept]);
      const words = judgedOf(input, kind, peak, kept);
      quiet = false;
      setText(made, words);
      return `${input.sensor}: ${words}`;
    },
    health(told) {
      row.ill = told.faults.length > 0 || told.quarantined;
      row.untried = counted.edges === 0 && told.edges === 0;
      if (on.size < traces.length) tellState(told.value);
      const { edges, accepted, late, lost } = told;
      counted = { edges: Math.max(edges, counted.edges), accepted: Math.max(accepted, counted.accepted), late, lost };
      tellCounts();
      out.hidden = !told.quarantined;
      const lines = [...told.faults.map((line) => ["fault", line]), ...told.notes.map((line) => ["note", line])];
      const words = lines.length ? lines : [["well", t("installer.well")]];
      if (health.dataset.told !== JSON.stringify(words)) {
        health.dataset.told = JSON.stringify(words);
        health.replaceChildren(...words.map(([kind, line]) => h("li", { class: kind }, line)));
      }
      setAttribute(element, "data-ill", row.ill);
    },
    draw(now) {
      for (const trace of traces) trace.forget(now);
      const silent = sounds && !traces[0].heardSince(now - SOUND_MS);
      setText(level, levelOf(input, silent ? [null] : traces.map((trace) => trace.newest())));
      setAttribute(element, "data-lit", performance.now() < litUntil);
      if (!element.hidden) strip.draw(traces, now);
    },
  };
  return row;
}
