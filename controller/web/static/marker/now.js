// What is shown between the score and the bar: the open question, what people must do, and what can happen now.

import { h } from "../dom.js";
import { inNames } from "../sides.js";
import { t } from "../texts.js";
import { button } from "./button.js";
import { compose, isFixed, merged, onlyEvent, usualEvent } from "./compose.js";
import { openStart } from "./start.js";
import { createShot } from "./shot.js";
import { capital, describe, nameOf, spokenAs } from "./words.js";

const MOST_CHOICES = 3;

function questionOf(app, { id, text, choices, likely, hangs }) {
  const answer = (choice) => app.run({ command: "answer", question: id, choice, if_revision: app.score.revision });
  const sorted = [...choices].sort((one, other) => (other.choice === likely) - (one.choice === likely));
  return h(
    "section",
    { class: "question", "aria-label": t("marker.question") },
    h("h2", {}, inNames(text, app.score.sides)),
    hangs ? h("p", {}, t("marker.hangs", { what: inNames(hangs, app.score.sides) })) : null,
    ...sorted.map(({ choice, text: words }) =>
      button(capital(words), () => answer(choice), {
        class: choice === likely ? "choice likely" : "choice",
        "data-key": `${id} ${choice}`,
      }),
    ),
  );
}

// Their titles alone don't say what they are about.
const SAID_WHOLE = new Set(["turn", "colours_down", "respotted", "ball_lifted"]);

// One large button a form; where a form leaves one small choice, a button for each.
function offerOf(app, form, { kind, others }) {
  const enter = (event) => app.enter(event);
  const title = capital(form.title);
  const whose = form.side && others ? h("small", {}, nameOf(form.side)) : null;
  const key = `${form.event} ${form.side} ${form.title}`;
  const event = onlyEvent(form);
  if (event)
    return [
      button([SAID_WHOLE.has(form.event) ? describe(event) : title, whose], () => enter(event), { class: kind, "data-key": key }),
    ];
  const few = fewEvents(form);
  if (few) {
    return few.map(({ event: one, value }) => {
      const words = SAID_WHOLE.has(form.event) ? describe(one) : `${title}: ${value}`;
      return button([words, whose], () => enter(one), { class: kind, "data-key": `${key} ${value}` });
    });
  }
  const open = () => app.sheet.open(compose(form, enter, { score: app.score }));
  const usual = usualEvent(form);
  if (usual) {
    const details = button("›", open, {
      class: "details",
      "data-key": `${key} …`,
      "aria-haspopup": "dialog",
      "aria-label": t("marker.details", { what: title }),
    });
    return [
      h(
        "div",
        { class: "split" },
        button([title, whose], () => enter(usual), { class: kind, "data-key": key }),
        details,
      ),
    ];
  }
  return [
    button([title, whose, h("i", { "aria-hidden": "true" }, "›")], open, {
      class: kind,
      "data-key": key,
      "aria-haspopup": "dialog",
    }),
  ];
}

function fewEvents(form) {
  const open = form.fields.filter((field) => !isFixed(field));
  const [only] = open;
  if (
    open.length !== 1 ||
    only.kind !== "choice" ||
    !only.required ||
    only.choices.length > MOST_CHOICES ||
    typeof only.choices[0] === "object"
  )
    return null;
  const fixed = onlyEvent({ ...form, fields: form.fields.filter(isFixed) });
  return only.choices.map((value) => ({ event: { ...fixed, [only.name]: value }, value: spokenAs(only.name, value) }));
}

function offersOf(app, forms) {
  const cups = app.score.position.cups;
  const shot = app.score.game === "bagatelle" ? createShot(forms, (event) => app.enter(event), { cups }) : null;
  const rest = merged(
    shot ? forms.filter((form) => form.event !== "shot" || form.fields.some(({ kind }) => kind !== "choice")) : forms,
  );
  const others = new Set(rest.map(({ side }) => side)).size > 1;
  const buttons = rest.flatMap((form, place) =>
    offerOf(app, form, { kind: !shot && place === 0 ? "offer first" : "offer", others }),
  );
  return [shot, h("div", { class: "offers" }, ...buttons)];
}

function card(title, lines, ...buttons) {
  return h(
    "section",
    { class: "card" },
    h("h2", {}, title),
    ...lines.filter(Boolean).map((line) => h("p", {}, line)),
    ...buttons,
  );
}

function newGame(app) {
  return button(t("marker.newGame"), () => openStart(app), { class: "primary", "data-key": "start", "aria-haspopup": "dialog" });
}

function phaseOf(app) {
  const { phase, over, sides, provisional } = app.score;
  if (phase === "idle") return [card(t("idleTitle"), [], newGame(app))];
  if (phase === "abandoned") return [card(t("abandonedTitle"), [t("abandonedLine")], newGame(app))];
  if (phase === "over" || over) {
    const winner = sides.find(({ id }) => id === over?.winner);
    const title = winner ? t("overTitle", { name: winner.name }) : t("drawTitle");
    return [card(title, [over?.double && t("overDouble"), provisional && t("provisionalResult")], newGame(app))];
  }
  if (phase === "paused" && app.questions.length === 0) {
    return [
      card(
        t("pausedTitle"),
        [t("pausedLine")],
        button(t("marker.resume"), () => app.run({ command: "resume" }), { class: "primary", "data-key": "resume" }),
      ),
    ];
  }
  return [];
}

export function drawNow(app) {
  const { phase, notices } = app.score;
  const forms = phase === "paused" ? [] : app.console.forms;
  return [
    ...app.questions.map((question) => questionOf(app, question)),
    ...phaseOf(app),
    notices.length
      ? h("ul", { class: "notices", "aria-label": t("marker.notices") }, ...notices.map(({ text }) => h("li", {}, inNames(text, app.score.sides))))
      : null,
    ...(forms.length ? offersOf(app, forms) : []),
  ].filter(Boolean);
}
