// Spares the screen: a picture that stands for long is dimmed and moved a little, so that nothing burns in.

const REST_AFTER_MS = 10 * 60 * 1000;
const IDLE_REST_AFTER_MS = 2 * 60 * 1000;
const STEP_MS = 60 * 1000;
const STEPS = [[0, 0], [6, 3], [3, 6], [-4, 5], [-6, -2], [2, -6]];
const QUIET = new Set(["idle", "over", "abandoned"]);

export function guardScreen(body) {
  let since = performance.now();
  let phase = null;
  let revision = null;
  let step = 0;

  function look() {
    const still = performance.now() - since;
    const resting = still > (QUIET.has(phase) ? IDLE_REST_AFTER_MS : REST_AFTER_MS);
    body.classList.toggle("resting", resting);
    step = resting ? step + 1 : 0;
    const [x, y] = STEPS[step % STEPS.length];
    body.style.setProperty("--shift-x", `${x}px`);
    body.style.setProperty("--shift-y", `${y}px`);
  }

  setInterval(look, STEP_MS);
  return {
    touch(score) {
      if (score.revision === revision) return;
      revision = score.revision;
      phase = score.phase;
      since = performance.now();
      look();
    },
  };
}
