// The sheet that comes up from below: one at a time, with its way back within reach of the thumb.

import { h, setText } from "../dom.js";
import { t } from "../texts.js";
import { button } from "./button.js";

// A phone's own way back leads out of the sheet, not off the page: it takes this entry from the history, which is then put back.
const sheets = [];
const ENTRY = "sheet";

function keepEntry() {
  if (history.state !== ENTRY) history.pushState(ENTRY, "");
}

addEventListener("popstate", () => {
  const top = [...sheets].reverse().find((sheet) => sheet.isOpen());
  if (top) {
    keepEntry();
    top.back();
  } else if (history.state !== ENTRY) {
    history.back();
  }
});

export function createSheet(name) {
  const dialog = h("dialog", { class: "sheet", "aria-labelledby": `${name}-title` });
  const alert = h("p", { class: "alert", role: "alert" });
  let open = null;

  function close() {
    const { closed } = open ?? {};
    open = null;
    dialog.close();
    dialog.replaceChildren();
    closed?.();
  }

  function back() {
    const { back: before } = open ?? {};
    if (before) before();
    else close();
  }

  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    back();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && close());

  const isOpen = () => dialog.open;
  sheets.push({ isOpen, back });

  return {
    element: dialog,
    close,
    isOpen,
    say: (text) => setText(alert, text),
    // `back` reopens what was there before; `refresh` is called when the game has moved on; `closed` when it is put away.
    open({ title, body, foot = [], back: before, refresh, closed }) {
      open = { back: before, refresh, closed };
      const heading = h("h2", { id: `${name}-title`, tabindex: "-1" }, title);
      setText(alert, "");
      dialog.replaceChildren(
        heading,
        h("div", { class: "body" }, ...body),
        alert,
        h("footer", {}, button(before ? t("marker.back") : t("marker.close"), back, { class: "back" }), ...foot),
      );
      if (!dialog.open) dialog.showModal();
      keepEntry();
      heading.focus();
    },
    moved() {
      open?.refresh?.();
    },
  };
}
