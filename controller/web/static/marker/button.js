// A button answers every tap itself, at once: it says that it is at work until what it began is done.

import { h } from "../dom.js";

const AGAIN_MS = 300;
const NEAR_PX = 30;
let last = { at: -Infinity, x: 0, y: 0, sent: false };

// A wet thumb taps twice. After a tap that sent something another button may stand in its place: the second wasn't meant for it.
function bounced({ detail, clientX, clientY, timeStamp }) {
  if (detail === 0) return false; // from the keyboard
  return last.sent && timeStamp - last.at < AGAIN_MS && Math.hypot(clientX - last.x, clientY - last.y) < NEAR_PX;
}

export function enable(button, enabled) {
  if (enabled) button.removeAttribute("aria-disabled");
  else button.setAttribute("aria-disabled", "true");
}

// `act` is called with the button; while the promise that it may give is open, the button is busy.
export function button(children, act, attributes = {}) {
  const element = h("button", { type: "button", ...attributes }, ...[children].flat());
  element.addEventListener("click", async (event) => {
    if (element.getAttribute("aria-busy") === "true" || element.getAttribute("aria-disabled") === "true" || bounced(event))
      return;
    const done = act(element);
    const sent = done instanceof Promise;
    last = { at: event.timeStamp, x: event.clientX, y: event.clientY, sent };
    if (!sent) return;
    element.setAttribute("aria-busy", "true");
    await done;
    element.removeAttribute("aria-busy");
  });
  return element;
}
