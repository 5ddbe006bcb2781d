// The game's list: every event with what it brought. Each can be changed, removed, or another put in before it; what that
// would do is shown first.

import { h } from "../dom.js";
import { inNames } from "../sides.js";
import { number, signed, t } from "../texts.js";
import { sidesOf, total } from "../awards.js";
import { button } from "./button.js";
import { compose, matches, merged, onlyEvent } from "./compose.js";
import { createShot } from "./shot.js";
import { capital, describe, nameOf } from "./words.js";

const STANDING = new Set(["stands", "flagged"]);

async function read(path) {
  const answer = await fetch(path, { cache: "no-store" });
  return answer.ok ? answer.json() : null;
}

function pointsOf({ awards, banked }) {
  return sidesOf(awards).map((side) => h("b", { class: banked ? "" : "open" }, `${signed(total(awards, side))} ${nameOf(side)}`));
}

function rowOf(app, row) {
  const marks = [
    row.fate === "stands" ? null : t(`marker.fates.${row.fate}`),
    row.put_in && row.fate === "stands" ? t("marker.fates.put_in") : null,
  ];
  return h(
    "li",
    { class: row.fate },
    button(
      [
        h("span", {}, describe(row.event)),
        h(
          "small",
          {},
          [...marks, row.turn && t("marker.turnOf", { name: nameOf(row.turn) })].filter(Boolean).join(" · "),
          ...pointsOf(row),
        ),
      ],
      () => openEvent(app, row),
    ),
  );
}

export async function openList(app) {
  const told = await read("/api/console/events");
  if (!told) return app.say(t("marker.noAnswer"));
  const rows = [...told.events].reverse();
  const body = rows.length
    ? [h("ol", { class: "list", reversed: "" }, ...rows.map((row) => rowOf(app, row)))]
    : [h("p", {}, t("marker.emptyList"))];
  return app.sheet.open({ title: t("marker.list"), body, refresh: () => openList(app) });
}

// What led to an event: what the sensors saw, who answered or entered it. It comes a moment after the rest.
function whyOf(row) {
  const told = h("p", { class: "evidence" }, row.origin === "sensor" ? t("marker.bySensor") : "");
  if (STANDING.has(row.fate)) {
    read(`/api/console/events/${row.revision}/why`)
      .then((reply) => reply && told.replaceChildren(t("marker.evidence", { what: reply.detail.events[0].because })))
      .catch(() => {}); // without it the rest stands
  }
  return told;
}

function openEvent(app, row) {
  const back = () => openList(app);
  const facts = [
    ...row.awards.map(({ side, points, rule, why }) =>
      h("p", { class: "award" }, h("b", {}, `${signed(points)} ${nameOf(side)}`), ` ${inNames(why, app.score.sides)} `, h("small", {}, rule)),
    ),
    row.refusal ? h("p", { class: "refusal" }, `${inNames(row.refusal.text, app.score.sides)} `, h("small", {}, row.refusal.rule)) : null,
    row.why ? h("p", {}, t("marker.because", { why: row.why })) : null,
    row.fate === "stands" ? null : h("p", {}, t(`marker.fateLines.${row.fate}`)),
    whyOf(row),
  ].filter(Boolean);
  const body = [h("div", { class: "facts-of" }, ...facts)];
  if (STANDING.has(row.fate)) {
    body.push(
      button(t("marker.change"), () => openForms(app, row, "replace"), { class: "offer" }),
      button(
        t("marker.remove"),
        () => openPreview(app, row, { remove: true }, t("marker.removing", { what: describe(row.event) })),
        { class: "offer" },
      ),
      button(t("marker.insert"), () => openForms(app, row, "insert_before"), { class: "offer" }),
    );
  }
  app.sheet.open({ title: describe(row.event), body, back });
}

// What might have been entered in its place: the form that fits comes filled in.
async function openForms(app, row, action) {
  const told = await read(`/api/console/events/${row.revision}`);
  if (!told) return app.say(t("marker.gone"));
  const back = () => openEvent(app, row);
  const changing = action === "replace";
  const took = (event) =>
    openPreview(
      app,
      row,
      { [action]: event },
      t(changing ? "marker.changing" : "marker.inserting", { what: describe(row.event), to: describe(event) }),
    );
  const before = changing ? row.event : undefined;
  const shots =
    app.score.game === "bagatelle"
      ? createShot(told.forms, took, { before: before?.event === "shot" ? before : undefined })
      : null;
  const rest = merged(
    shots ? told.forms.filter((form) => form.event !== "shot" || form.fields.some(({ kind }) => kind !== "choice")) : told.forms,
  );
  const fits = before && !shots ? rest.find((form) => matches(form, before)) : undefined;
  const choose = (form, event) => {
    const whole = onlyEvent(form);
    if (whole) return took(whole);
    return app.sheet.open({
      ...compose(form, took, { score: app.score, event }),
      back: fits ? openOthers : () => openForms(app, row, action),
    });
  };
  function openOthers() {
    const buttons = rest.map((form) =>
      button(
        [capital(form.title), form.side ? h("small", {}, nameOf(form.side)) : null],
        () => choose(form, before && matches(form, before) ? before : undefined),
        { class: "offer" },
      ),
    );
    app.sheet.open({
      title: t(changing ? "marker.changeTo" : "marker.insertWhat"),
      body: [shots, h("div", { class: "offers" }, ...buttons)].filter(Boolean),
      back,
    });
  }
  return fits && !onlyEvent(fits) ? choose(fits, before) : openOthers();
}

async function openPreview(app, row, change, title) {
  const command = { command: "correct", revision: row.revision, ...change, if_revision: app.score.revision };
  const reply = await app.run({ ...command, preview: true });
  if (!reply?.ok) return;
  const { before, after, fallen, saving, stake_before: staked, stake_after: stakes } = reply.detail;
  const why = h("input", { type: "text", id: "why", maxlength: "500", autocomplete: "off", enterkeyhint: "done" });
  const stake = (points) => (points ? signed(points) : "0");
  const line = (name, old, next, kind = "") =>
    h(
      "tr",
      { class: kind },
      h("th", { scope: "row" }, name),
      h("td", {}, old === next ? "" : h("s", {}, old)),
      h("td", {}, h("b", {}, next)),
    );
  const scores = app.score.sides.flatMap(({ id, name }) => [
    line(name, number(before[id]), number(after[id])),
    staked[id] || stakes[id] ? line(t("stake"), stake(staked[id]), stake(stakes[id]), "stake") : null,
  ]);
  const body = [
    h("table", { class: "before-after" }, h("caption", {}, t("marker.scores")), h("tbody", {}, ...scores)),
    fallen.length
      ? h(
          "section",
          { class: "fallen" },
          h("h3", {}, t("marker.fallen", { n: fallen.length })),
          h("ul", {}, ...fallen.map(({ event }) => h("li", {}, describe(event)))),
        )
      : null,
    saving ? h("p", { class: "saving" }, t("marker.saving", { what: describe(saving) })) : null,
    h("label", { for: "why" }, t("marker.why")),
    why,
  ].filter(Boolean);

  async function apply(also) {
    const done = await app.run({ ...command, why: why.value });
    if (!done?.ok) return;
    if (also) await app.run({ command: "correct", revision: fallen[0].revision, insert_before: saving, why: why.value });
    app.sheet.close();
  }

  const foot = [
    button(saving ? t("marker.applyAlone") : t("marker.apply"), () => apply(false), {
      class: saving ? "enter" : "primary enter",
    }),
  ];
  if (saving) body.push(button(t("marker.applySaving"), () => apply(true), { class: "primary" }));
  app.sheet.open({ title, body, foot, back: () => openEvent(app, row) });
}
