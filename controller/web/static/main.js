// Starts the scoreboard.

import { createRoom } from "./room.js";
import { follow } from "./link.js";
import { language, locale, t } from "./texts.js";
import { guardScreen } from "./rest.js";

document.documentElement.lang = language;
const room = createRoom(document.getElementById("stage"));
const screen = guardScreen(document.body);
const plate = document.getElementById("link");

function clockTime(date) {
  return date.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
}

follow({
  score(score) {
    screen.touch(score);
    room.show(score);
  },
  questions: room.takeQuestions,
  correction: room.takeCorrection,
  state(state, since) {
    document.body.dataset.link = state;
    if (state === "waiting") plate.replaceChildren(t("connecting"));
    else if (state === "live") plate.replaceChildren();
    else {
      const line = document.createElement("small");
      line.textContent = t("notLiveLine");
      plate.replaceChildren(t("notLive", { time: clockTime(since) }), line);
    }
  },
});
