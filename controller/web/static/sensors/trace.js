// What one input has done in the last seconds: raw values, changes that counted, verdicts on a bell.

const KEPT_MS = 12_000;

export function createTrace() {
  const raw = []; // [at, value], oldest first
  const changes = []; // [at, known, on]
  const verdicts = []; // [at, known, kind, peak, kept]
  let level = null; // what was before the oldest
  let on = null;

  function forget(before) {
    while (raw.length && raw[0][0] < before) level = raw.shift()[1];
    while (changes.length && changes[0][1] < before) on = changes.shift()[2];
    while (verdicts.length && verdicts[0][1] < before) verdicts.shift();
  }

  return {
    raw,
    changes,
    verdicts,
    begin(value, active) {
      level = value;
      on = value === active;
    },
    // The first news of a page holds what is past already: what was before it is the other level.
    before(value, active) {
      level = typeof value === "number" ? 1 - value : null;
      on = level === active;
    },
    forget: (now) => forget(now - KEPT_MS),
    level: () => level,
    on: () => on,
    newest: () => (raw.length ? raw.at(-1)[1] : level),
    // What is told only while there is something to tell has no level in between.
    heardSince: (before) => raw.length > 0 && raw.at(-1)[0] >= before,
  };
}
