// The marker's console: reads the score as the scoreboard does, asks what may be done at each new revision, sends commands.

import { sidesOf, total } from "../awards.js";
import { h, setAttribute, setText } from "../dom.js";
import { follow } from "../link.js";
import { inNames, named } from "../sides.js";
import { language, locale, signed, t } from "../texts.js";
import { button, enable } from "./button.js";
import { pin, send } from "./commands.js";
import { openList } from "./list.js";
import { isIll, openMore } from "./more.js";
import { drawNow } from "./now.js";
import { askPin, sentenceOf } from "./pin.js";
import { createSheet } from "./sheet.js";
import { createStrip } from "./strip.js";
import { describe, setNames } from "./words.js";

const REFRESH_MS = 10_000; // sensors fall ill without a new revision
const SETTLE_MS = 3000;

document.documentElement.lang = language;
const plate = document.getElementById("link");
const page = document.getElementById("page");
const sheet = createSheet("sheet");
const pinSheet = createSheet("pin");
const strip = createStrip();
const latest = h("p", { class: "latest", role: "status" });
const alert = h("p", { class: "alert", role: "alert" });
const now = h("main", { class: "now" });
const undoWhat = h("small");
const undo = button([h("b", {}), undoWhat], () => app.run({ command: "undo", if_revision: app.score.revision }), {
  class: "undo",
});
const list = button(t("marker.list"), () => openList(app), { "aria-haspopup": "dialog" });
const pause = button("", () => app.run({ command: app.score.phase === "paused" ? "resume" : "pause" }), { class: "pause" });
const more = button([t("marker.more"), h("small", { class: "badge" })], () => openMore(app), { "aria-haspopup": "dialog" });
page.append(
  strip.element,
  latest,
  now,
  alert,
  h("nav", { class: "bar", "aria-label": t("marker.bar") }, undo, list, pause, more),
);
document.body.append(sheet.element, pinSheet.element);

let asked = { game_id: null, questions: [] };
let drawn = "";
let told = "";
let reading = null;
let again = false;
let waiting = [];

const app = {
  score: null,
  console: null,
  questions: [],
  sheet,
  say(text) {
    sheet.say(text);
    setText(alert, sheet.isOpen() ? "" : text);
  },
  // Sends a command and waits until what it did is shown. Gives the reply; null where there is no PIN.
  async run(command) {
    app.say("");
    if (!pin.get() && !(await askPin(pinSheet))) return null;
    let reply = await send(command);
    if (reply.status === 401) {
      pin.forget();
      if (!(await askPin(pinSheet, t("marker.pinWrong")))) return null;
      reply = await send(command);
    }
    // What changes no score, such as a sensor left out, comes with no new revision.
    if (reply.ok) await Promise.all([settled(reply.revision), read()]);
    else app.say(sentenceOf(reply));
    return reply;
  },
  async enter(event) {
    const reply = await app.run({ command: "event", event });
    if (reply?.ok) sheet.close();
  },
};

// Whether what is on the page is of this revision or a later one; the wait has an end.
function settled(revision) {
  if (revision === null || (app.score.revision >= revision && app.console.revision >= revision)) return undefined;
  return new Promise((resolve) => {
    waiting.push({ revision, resolve });
    setTimeout(resolve, SETTLE_MS);
  });
}

async function read() {
  if (reading) {
    again = true;
    return;
  }
  do {
    again = false;
    reading = fetch("/api/console", { cache: "no-store" }).then(
      (response) => (response.ok ? response.json() : null),
      () => null,
    );
    const answer = await reading;
    reading = null;
    if (answer) app.console = answer;
  } while (again);
  draw();
}

function lastLine({ last, phase }) {
  if (!last || phase === "idle" || (phase === "abandoned" && !last.banked)) return "";
  const sums = sidesOf(last.awards).map(
    (side) => `${signed(total(last.awards, side))} ${app.score.sides.find(({ id }) => id === side)?.name ?? side}`,
  );
  const [most] = [...last.awards].sort((one, other) => Math.abs(other.points) - Math.abs(one.points));
  return `${sums.join(", ")}. ${inNames(most?.why ?? "", app.score.sides)}`;
}

function drawBar() {
  const { undoable, sensors } = app.console;
  const inPlay = !["idle", "over", "abandoned"].includes(app.score.phase);
  setText(undo.firstChild, undoable?.kind === "undo" ? t("marker.redo") : t("marker.undo"));
  const what = undoable?.event ? describe(undoable.event) : inNames(undoable?.said ?? "", app.score.sides);
  setText(
    undoWhat,
    !undoable
      ? ""
      : !what
        ? t(`marker.undoes.${undoable.kind}`)
        : undoable.kind === "correct"
          ? t("marker.correctionOf", { what })
          : what,
  );
  setAttribute(undo, "title", undoWhat.textContent);
  enable(undo, undoable !== null);
  setText(pause, app.score.phase === "paused" ? t("marker.resume") : t("marker.pause"));
  enable(pause, inPlay);
  const ill = sensors.filter(isIll).length;
  setText(more.lastChild, ill ? t("marker.ill", { n: ill }) : "");
}

function draw() {
  if (!app.score || !app.console) return;
  app.questions = asked.game_id === app.score.game_id ? asked.questions : [];
  setNames(app.score.sides);
  strip.show(app.score);
  setText(latest, lastLine(app.score));
  setAttribute(latest, "title", latest.textContent);
  setText(document.querySelector("title"), `${app.score.sides.map((side) => t("sidesLine", side)).join(" · ")}`);
  document.body.dataset.phase = app.score.phase;
  const { forms, rules, revision } = app.console;
  const wanted = JSON.stringify([
    forms,
    rules,
    app.questions,
    app.score.phase,
    app.score.over,
    app.score.notices,
    app.score.sides,
    app.score.position,
    app.score.provisional,
  ]);
  drawBar();
  if (wanted !== drawn) {
    drawn = wanted;
    redraw();
  }
  const health = JSON.stringify([
    revision,
    app.console.sensors.map(({ sensor, faults, quarantined }) => [sensor, faults, quarantined]),
  ]);
  if (health !== told) {
    told = health;
    sheet.moved();
  }
  setAttribute(page, "data-revision", Math.min(revision, app.score.revision));
  const done = waiting.filter((one) => one.revision <= revision && one.revision <= app.score.revision);
  waiting = waiting.filter((one) => !done.includes(one));
  for (const one of done) one.resolve();
}

// Whoever works with keys stays where they were, or at the top of what is new.
function redraw() {
  const focused = now.contains(document.activeElement) ? document.activeElement : null;
  now.replaceChildren(...drawNow(app));
  if (!focused) return;
  const key = focused.dataset.key;
  const next =
    (key && [...now.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key)) ??
    now.querySelector("button:not([aria-disabled])");
  next?.focus({ preventScroll: true });
}

follow({
  score(score) {
    app.score = named(score);
    draw();
    read();
  },
  questions(message) {
    asked = message;
    draw();
  },
  state(state, since) {
    document.body.dataset.link = state;
    const time = since.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
    plate.replaceChildren(
      ...(state === "live"
        ? []
        : state === "waiting"
          ? [t("connecting")]
          : [t("notLive", { time }), h("small", {}, t("marker.offline"))]),
    );
    page.inert = state !== "live";
    sheet.element.inert = state !== "live";
  },
});
setInterval(() => document.visibilityState === "visible" && read(), REFRESH_MS);
