// The link to the service: one EventSource, opened again whenever it ends or falls silent. Runs in a page or in the shared worker.

export const SILENCE_MS = 5000;
const AGAIN_MS = 1500;
const KINDS = ["alive", "questions", "correction", "score"];

// `tell(kind, text)` is called for each message, `kind` one of `kinds`.
export function connect(address, tell, kinds = KINDS) {
  let source = null;
  let heard = 0;

  function open() {
    source?.close();
    heard = performance.now();
    source = new EventSource(address);
    for (const kind of kinds) {
      source.addEventListener(kind, (message) => {
        heard = performance.now();
        tell(kind, message.data);
      });
    }
  }

  // EventSource tries again by itself after a lost link, but gives up on an error status, and never notices a peer that
  // has vanished without a word.
  setInterval(() => {
    const silent = performance.now() - heard;
    if (silent > SILENCE_MS || (source.readyState === EventSource.CLOSED && silent > AGAIN_MS)) open();
  }, 1000);
  open();
}
