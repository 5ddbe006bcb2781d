// A number pad: one row a number, the next one at hand when one is entered.

import { h, setText } from "../dom.js";
import { t } from "../texts.js";
import { button } from "./button.js";
import { capital, spoken } from "./words.js";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "0", "⌫"];
const LONGEST = 6;

// `rows`: names; `changed` gets {name: number or null}, without those that are empty. `out`: whether null may be said.
export function createNumbers(rows, changed, { values = {}, out = false, label } = {}) {
  const texts = new Map(rows.map((row) => [row, values[row] === null ? null : String(values[row] ?? "")]));
  let at = rows[0];

  const lines = new Map(
    rows.map((row) => {
      const shown = h("b");
      const line = button([h("span", {}, capital(spoken(row))), shown], () => select(row), { class: "row" });
      return [row, { line, shown }];
    }),
  );

  function show() {
    const numbers = {};
    for (const [row, { line, shown }] of lines) {
      const text = texts.get(row);
      line.setAttribute("aria-pressed", String(row === at));
      setText(shown, text === null ? t("marker.out") : text || "–");
      if (text === null) numbers[row] = null;
      else if (text !== "" && Number.isFinite(Number(text))) numbers[row] = Number(text);
    }
    changed(numbers);
  }

  function select(row) {
    at = row;
    show();
  }

  function press(key) {
    const text = texts.get(at) ?? "";
    if (key === "⌫") texts.set(at, text.slice(0, -1));
    else if (text.length < LONGEST && !(key === "." && text.includes("."))) texts.set(at, text + key);
    show();
  }

  function next() {
    select(rows[(rows.indexOf(at) + 1) % rows.length]);
  }

  const pad = h(
    "div",
    { class: "pad" },
    ...KEYS.map((key) =>
      button(key, () => press(key), { "aria-label": key === "⌫" ? t("marker.erase") : key === "." ? t("marker.point") : key }),
    ),
    out
      ? button(
          capital(t("marker.out")),
          () => {
            texts.set(at, null);
            next();
          },
          { class: "wide" },
        )
      : null,
    rows.length > 1 ? button(t("marker.next"), next, { class: "wide" }) : null,
  );
  const element = h(
    "div",
    { class: "numbers", role: "group", "aria-label": label },
    h("div", { class: "rows" }, ...[...lines.values()].map(({ line }) => line)),
    pad,
  );
  element.addEventListener("keydown", ({ key }) => {
    if (/^[\d.]$/.test(key)) press(key);
    else if (key === "Backspace") press("⌫");
  });
  show();
  return element;
}
