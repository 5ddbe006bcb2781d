// The PIN, asked for once: on large keys, or typed where it is a word.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { button } from "./button.js";
import { pin, tryPin } from "./commands.js";
import { capital } from "./words.js";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0"];

// What the table said of a command that it didn't take.
export function sentenceOf({ status, error, wait }) {
  if (status === 401) return t("marker.pinWrong");
  if (status === 429) return t("marker.pinLocked", { n: wait });
  if (status === 0 || status === 504) return t("marker.noAnswer");
  return capital(/[.!?]$/.test(error) ? error : `${error}.`);
}

// Gives a promise: whether there is a PIN now that the table takes. `why`: what to say first.
export function askPin(sheet, why = "") {
  return new Promise((resolve) => {
    let right = false;
    const input = h("input", {
      type: "password",
      class: "pin",
      autocomplete: "off",
      inputmode: "none",
      "aria-label": t("marker.pin"),
    });
    const go = button(t("marker.pinGo"), enter, { class: "primary enter" });

    async function enter() {
      sheet.say("");
      const reply = await tryPin(input.value.trim());
      if (reply.ok) {
        right = true;
        pin.set(input.value.trim());
        sheet.close();
      } else {
        sheet.say(sentenceOf(reply));
        input.value = "";
        input.focus();
      }
    }

    const press = (key) => {
      input.value = key === "⌫" ? input.value.slice(0, -1) : input.value + key;
    };
    input.addEventListener("keydown", ({ key }) => key === "Enter" && go.click());
    const letters = button(
      t("marker.pinLetters"),
      () => {
        input.setAttribute("inputmode", "text");
        input.focus();
      },
      { class: "wide" },
    );
    sheet.open({
      title: t("marker.pin"),
      body: [
        h("p", {}, t("marker.pinLine")),
        input,
        h(
          "div",
          { class: "pad" },
          ...KEYS.map((key) => button(key, () => press(key), { "aria-label": key === "⌫" ? t("marker.erase") : key })),
          letters,
        ),
      ],
      foot: [go],
      closed: () => resolve(right),
    });
    input.focus();
    sheet.say(why);
  });
}
