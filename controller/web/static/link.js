// What the page hears, and whether it is live. States older than the one shown are dropped; silence is told after seconds.

import { connect, SILENCE_MS } from "./connection.js";

const RELOAD_MS = 30_000;

function listen(tell) {
  const direct = () => connect("/api/stream", (kind, text) => tell({ kind, text, age: 0 }));
  if (typeof SharedWorker === "undefined") {
    direct();
    return;
  }
  const worker = new SharedWorker(new URL("./worker.js", import.meta.url), { type: "module", name: "tablemarker" });
  worker.addEventListener("error", direct, { once: true });
  worker.port.addEventListener("message", ({ data }) => tell(data));
  worker.port.start();
  addEventListener("pagehide", () => worker.port.postMessage("bye"));
}

// A page of another version than the service's loads itself again, but not in a loop should something between them keep old pages.
function reloadUnlessJustDone() {
  const last = Number(sessionStorage.getItem("reloaded") ?? -RELOAD_MS);
  // The clock on the wall may have been set back meanwhile.
  if (Math.abs(Date.now() - last) < RELOAD_MS) return;
  sessionStorage.setItem("reloaded", Date.now());
  location.reload();
}

// `on` has a function for each kind of message, and `state`, which hears "waiting" before the first word from the service, then
// "live" or "dead", with the time of the last word.
export function follow(on) {
  const version = document.querySelector("meta[name=version]").content;
  let run = null;
  let shown = null;
  let state = null;
  let heard = -Infinity; // on the page's own clock: the one on the wall may jump

  function tell({ kind, text, age }) {
    const message = JSON.parse(text);
    heard = Math.max(heard, performance.now() - age);
    if (kind === "alive") {
      if (message.version !== version) reloadUnlessJustDone();
      // Revisions only grow, across restarts too, unless the journal was put away: another run is believed afresh.
      if (message.run !== run && shown !== null) shown = -1;
      run = message.run;
    } else if (kind !== "score") {
      on[kind]?.(message);
    } else if (shown === null || message.revision >= shown) {
      shown = message.revision;
      on.score(message);
    }
    check();
  }

  function check() {
    const silent = performance.now() - heard;
    const next = shown === null ? "waiting" : silent > SILENCE_MS ? "dead" : "live";
    if (next === state) return;
    state = next;
    on.state(state, new Date(Date.now() - silent));
  }

  setInterval(check, 500);
  addEventListener("pageshow", (event) => event.persisted && location.reload());
  listen(tell);
}
