// Picks one of many values step by step: what happened, then where, then which ball; a card by its suit, then its rank.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { button } from "./button.js";
import { capital, cardOf, spoken, spokenAs } from "./words.js";

export const FEW = 12;

// The steps to a value, each with what it is told apart by and what people read.
function stepsTo(value, few, name) {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    return Object.entries(value).map(([key, one]) => ({ mark: `${key}=${JSON.stringify(one)}`, text: spokenAs(key, one) }));
  }
  const card = few ? null : cardOf(value);
  if (card) return card.map((text) => ({ mark: text, text }));
  return [{ mark: JSON.stringify(value), text: spokenAs(name, value) }];
}

// `picked(value)` is called for each value that is picked; `chosen` is marked.
export function createPicker(choices, picked, { label, name, chosen, many, optional } = {}) {
  const element = h("div", { class: "picker", role: "group", "aria-label": label });
  const few = choices.length <= FEW;
  const paths = choices.map((value) => ({ value, steps: stepsTo(value, few, name) }));
  let marked = chosen;

  const fitting = (taken) => paths.filter(({ steps }) => taken.every(({ mark }, depth) => steps[depth]?.mark === mark));

  function draw(taken) {
    const left = fitting(taken);
    let depth = taken.length;
    // A step that leaves no choice is not asked.
    while (left.length > 1 && left.every(({ steps }) => steps[depth]?.mark === left[0].steps[depth]?.mark)) depth += 1;
    const options = new Map(left.map(({ steps, value }) => [steps[depth]?.mark ?? "", { step: steps[depth], value }]));
    const path = [...taken, ...left[0].steps.slice(taken.length, depth)];
    const buttons = [...options.values()].map(({ step, value }) => {
      const pressed = depth === 0 && marked !== undefined && JSON.stringify(value) === JSON.stringify(marked);
      return button(capital(step?.text ?? t("marker.nothing")), (one) => take([...path, step], one), {
        class: "choice",
        "aria-pressed": pressed ? "true" : undefined,
      });
    });
    const again = taken.length
      ? [
          button(t("marker.otherwise", { what: taken.map(({ text }) => text).join(", ") }), () => draw([]), {
            class: "choice again",
          }),
        ]
      : [];
    // What was picked step by step is shown whole; where it may be left out, a tap takes it away.
    const whole = depth === 0 && marked !== undefined && paths.some(({ steps }) => steps.length > 1);
    if (whole)
      again.push(
        button(capital(spokenAs(name, marked)), () => (optional ? clear() : undefined), {
          class: "choice",
          "aria-pressed": "true",
        }),
      );
    const focused = element.contains(document.activeElement);
    element.replaceChildren(...again, ...buttons);
    element.classList.toggle(
      "small",
      [...options.values()].every(({ step }) => (step?.text.length ?? 0) <= 3),
    );
    if (focused && taken.length) buttons[0].focus();
  }

  function take(path, one) {
    const left = fitting(path);
    if (left.length > 1) return draw(path);
    if (!many) marked = left[0].value;
    const result = picked(left[0].value);
    // A button that sends stays, to say that it is at work; one that is picked alone is marked in its place.
    if (path.length === 1 && !many)
      for (const other of element.children) other.setAttribute("aria-pressed", String(other === one));
    else if (result instanceof Promise) return result.then(() => draw([]));
    else draw([]);
    return result;
  }

  function clear() {
    marked = undefined;
    draw([]);
    picked(undefined);
  }

  draw([]);
  return element;
}

// Any number of values, in their order; a tap on one takes it out again.
export function createMany(choices, changed, { label, chosen = [] } = {}) {
  let values = [...chosen];
  const listed = h("ol", { class: "facts" });
  const picker = createPicker(choices, (value) => show([...values, value]), { label, many: true });

  function show(next) {
    values = next;
    listed.replaceChildren(
      ...values.map((value, place) =>
        h(
          "li",
          {},
          button(
            [h("span", {}, capital(spoken(value))), h("b", { "aria-hidden": "true" }, "×")],
            () => show(values.filter((_, other) => other !== place)),
            { "aria-label": t("marker.takeOut", { what: spoken(value) }) },
          ),
        ),
      ),
    );
    changed(values);
  }

  show(values);
  return h("div", { class: "many" }, listed, picker);
}
