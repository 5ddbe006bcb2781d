// A new game: the players' names, and the house rules with what each of them means.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { button } from "./button.js";
import { capital, spoken } from "./words.js";

const IN_PLAY = new Set(["arming", "playing", "clearing", "paused"]);
// Where the house rules say how many sides there are.
const SIDES = { squails: ({ players }) => (players % 2 ? players : 2) };

function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function openStart(app, from = {}) {
  const { game, sides, phase } = app.score;
  const rules = app.console.rules;
  const values = Object.fromEntries(rules.map(({ option, value }) => [option.name, value]));
  const usual = { ...values };
  const names = h("div", { class: "names" });

  function drawNames() {
    const count = SIDES[game]?.(values) ?? sides.length;
    const had = [...names.querySelectorAll("input")].map((input) => input.value);
    names.replaceChildren(
      ...Array.from({ length: count }, (_, place) => {
        const name = t("marker.side", { n: place + 1 });
        const input = h("input", {
          type: "text",
          maxlength: "64",
          autocomplete: "off",
          autocapitalize: "words",
          "aria-label": name,
          placeholder: sides[place]?.id ? capital(spoken(sides[place].id)) : name,
        });
        input.value = had[place] ?? (sides.length === count && sides[place].name !== sides[place].id ? sides[place].whole : "");
        return input;
      }),
    );
  }

  function optionOf({ option }) {
    const shown = h("output", {});
    const set = (value) => {
      values[option.name] = value;
      show();
      drawNames();
    };
    const choices = option.choices.map((value) => button(capital(spoken(value)), () => set(value), { class: "choice" }));
    const input = option.choices.length
      ? null
      : h("input", {
          type: "number",
          inputmode: "decimal",
          min: option.least,
          max: option.most,
          step: option.whole ? 1 : "any",
          "aria-label": option.text,
        });
    input?.addEventListener("input", () => input.value !== "" && set(Number(input.value)));
    if (input && values[option.name] !== null) input.value = values[option.name];

    function show() {
      option.choices.forEach((value, place) =>
        choices[place].setAttribute("aria-pressed", String(same(value, values[option.name]))),
      );
      shown.replaceChildren(capital(values[option.name] === null ? t("marker.unset") : spoken(values[option.name])));
    }

    show();
    return h(
      "li",
      {},
      h(
        "details",
        {},
        h("summary", {}, h("span", {}, capital(option.name.replaceAll("_", " "))), shown, h("small", {}, option.text)),
        h("div", { class: "picker", role: "group", "aria-label": option.text }, ...choices, input),
      ),
    );
  }

  async function start() {
    const given = [...names.querySelectorAll("input")].map(
      (input, place) => input.value.trim() || input.placeholder || String(place + 1),
    );
    const options = Object.fromEntries(Object.entries(values).filter(([name, value]) => !same(value, usual[name])));
    const reply = await app.run({ command: "start_game", sides: given, options });
    if (reply?.ok) app.sheet.close();
  }

  drawNames();
  const inPlay = IN_PLAY.has(phase);
  app.sheet.open({
    title: t("marker.newGame"),
    body: [
      h("h3", {}, t("marker.players")),
      names,
      h("h3", {}, t("marker.houseRules")),
      h("ul", { class: "rules" }, ...rules.map(optionOf)),
      inPlay ? h("p", { class: "warning" }, t("marker.startAbandons")) : null,
    ].filter(Boolean),
    foot: [
      button(inPlay ? t("marker.abandonAndStart") : t("marker.start"), start, {
        class: inPlay ? "danger enter" : "primary enter",
      }),
    ],
    back: from.back,
  });
}
