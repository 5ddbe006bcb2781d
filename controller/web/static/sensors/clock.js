// The service's clock on this page, in milliseconds. What it says travels for a while: the quickest word is the truest.

const JUMP_MS = 2000;

export function createClock() {
  let ahead = null; // how far the service's clock is ahead of the page's

  return {
    hear(now) {
      const heard = now - performance.now();
      if (ahead === null || heard > ahead || ahead - heard > JUMP_MS) ahead = heard;
    },
    now: () => (ahead === null ? 0 : performance.now() + ahead),
  };
}
