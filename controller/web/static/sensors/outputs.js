// Lamps and sounders, each to be tried: a command as any other, so it wants the marker's PIN.

import { h, setText } from "../dom.js";
import { button } from "../marker/button.js";
import { pin, send } from "../marker/commands.js";
import { askPin, sentenceOf } from "../marker/pin.js";
import { createSheet } from "../marker/sheet.js";
import { t } from "../texts.js";

export function createOutputs(outputs) {
  const sheet = createSheet("pin");
  const said = h("p", { class: "tried", role: "status" });

  async function run(output) {
    setText(said, "");
    if (!pin.get() && !(await askPin(sheet))) return;
    let reply = await send({ command: "test_output", output });
    if (reply.status === 401) {
      pin.forget();
      if (!(await askPin(sheet, t("marker.pinWrong")))) return;
      reply = await send({ command: "test_output", output });
    }
    setText(said, reply.ok ? t("installer.tried", { output }) : sentenceOf(reply));
  }

  const rowOf = ({ output, kind, source }) =>
    h(
      "li",
      {},
      h("b", {}, output),
      h("span", {}, `${kind} · ${source}`),
      button(t("installer.tryOutput"), () => run(output), { "aria-label": t("installer.tryOne", { output }) }),
    );
  document.body.append(sheet.element);
  return h("section", { class: "outputs" }, h("h2", {}, t("installer.outputs")), h("ul", {}, ...outputs.map(rowOf)), said);
}
