// What is wanted less often: a new game, sensors that are ill, giving a game up, putting the PIN away.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { button } from "./button.js";
import { pin } from "./commands.js";
import { openStart } from "./start.js";

const IN_PLAY = new Set(["arming", "playing", "clearing", "paused"]);

export function isIll({ faults, quarantined }) {
  return faults.length > 0 || quarantined;
}

export function openMore(app) {
  const back = () => openMore(app);
  const ill = app.console.sensors.filter(isIll).length;
  const body = [
    button(t("marker.newGame"), () => openStart(app, { back }), { class: "offer", "aria-haspopup": "dialog" }),
    app.console.sensors.length
      ? button([t("marker.sensors"), ill ? h("small", {}, t("marker.ill", { n: ill })) : null], () => openSensors(app), {
          class: "offer",
          "aria-haspopup": "dialog",
        })
      : null,
    button(t("history.title"), () => location.assign("/history"), { class: "offer" }),
    IN_PLAY.has(app.score.phase)
      ? button(t("marker.abandon"), () => openAbandon(app), { class: "offer", "aria-haspopup": "dialog" })
      : null,
    pin.get()
      ? button(
          t("marker.forgetPin"),
          () => {
            pin.forget();
            app.sheet.close();
          },
          { class: "offer" },
        )
      : null,
    ...app.console.faults.map((sentence) => h("p", { class: "warning" }, sentence)),
  ];
  app.sheet.open({ title: t("marker.more"), body: body.filter(Boolean) });
}

// Nothing else can't be taken back, so nothing else asks.
function openAbandon(app) {
  const abandon = async () => {
    const reply = await app.run({ command: "abandon" });
    if (reply?.ok) app.sheet.close();
  };
  app.sheet.open({
    title: t("marker.abandonSure"),
    body: [h("p", {}, t("marker.abandonLine"))],
    foot: [button(t("marker.abandonDo"), abandon, { class: "danger enter" })],
    back: () => openMore(app),
  });
}

function sensorOf(app, sensor) {
  const act = (command) => app.run({ command, sensor: sensor.sensor });
  const toggle = sensor.quarantined
    ? button(t("marker.release"), () => act("release"), { class: "choice", "aria-label": t("marker.releaseOne", sensor) })
    : button(t("marker.quarantine"), () => act("quarantine"), {
        class: "choice",
        "aria-label": t("marker.quarantineOne", sensor),
      });
  return h(
    "li",
    { class: isIll(sensor) ? "ill" : "", "data-sensor": sensor.sensor },
    h("div", {}, h("b", {}, sensor.sensor), sensor.quarantined ? h("small", {}, t("marker.quarantined")) : null, toggle),
    ...sensor.faults.map((sentence) => h("p", {}, sentence)),
  );
}

export function openSensors(app) {
  const [ill, well] = [true, false].map((wanted) => app.console.sensors.filter((sensor) => isIll(sensor) === wanted));
  const body = [
    ill.length ? h("ul", { class: "sensors" }, ...ill.map((sensor) => sensorOf(app, sensor))) : h("p", {}, t("marker.allWell")),
    h("h3", {}, t("marker.well", { n: well.length })),
    h("ul", { class: "sensors" }, ...well.map((sensor) => sensorOf(app, sensor))),
    h("p", {}, t("marker.quarantineLine")),
  ];
  app.sheet.open({ title: t("marker.sensors"), body, back: () => openMore(app), refresh: () => openSensors(app) });
}
