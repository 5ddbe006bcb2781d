// Forgetting a player: asked for twice, since nothing brings the name back, and with the marker's PIN.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { button } from "../marker/button.js";
import { pin, send } from "../marker/commands.js";
import { askPin, sentenceOf } from "../marker/pin.js";
import { createSheet } from "../marker/sheet.js";

// `done` is called with what to say when a name is gone.
export function createForgetting(done) {
  const sheet = createSheet("forget");
  const pinSheet = createSheet("pin");

  async function forget(name) {
    sheet.say("");
    if (!pin.get() && !(await askPin(pinSheet))) return;
    let reply = await send({ command: "forget_player", name });
    if (reply.status === 401) {
      pin.forget();
      if (!(await askPin(pinSheet, t("marker.pinWrong")))) return;
      reply = await send({ command: "forget_player", name });
    }
    if (!reply.ok) return sheet.say(sentenceOf(reply));
    sheet.close();
    await done(t("history.forgotten"));
  }

  return {
    elements: [sheet.element, pinSheet.element],
    ask(name) {
      sheet.open({
        title: t("history.forgetSure", { name }),
        body: [h("p", {}, t("history.forgetLine"))],
        foot: [button(t("history.forgetDo"), () => forget(name), { class: "danger enter" })],
      });
    },
  };
}
