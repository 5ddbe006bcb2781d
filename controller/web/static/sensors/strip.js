// The strip of an input: the last seconds from left to right, now at the right edge. Raw edges below, the debounced state above
// them, the time in which a change waits to be believed, and the time after it in which nothing counts. Bells: how loud, and when.

import { h, setAttribute, svg } from "../dom.js";
import { t } from "../texts.js";

const WIDTH = 1000;
const HIGH = { raw: [62, 92], state: [10, 40] };
const BELL = 96;
const SCALE = 60; // a bell that is silent isn't drawn larger than life

function steps(values, first, from, now, x, y) {
  let path = "";
  let value = first;
  if (value === null && !values.length) return path;
  path = `M0 ${y(value ?? 0)}`;
  for (const [at, next] of values) {
    if (at < from) {
      path = `M0 ${y(next)}`;
    } else {
      path += `H${x(at)}V${y(next)}`;
    }
    value = next;
  }
  return `${path}H${x(now)}`;
}

export function createStrip(input, span) {
  const seconds = [...Array(span / 1000).keys()];
  const grid = svg("path", { class: "grid", d: seconds.map((n) => `M${(n * WIDTH * 1000) / span} 0V100`).join("") });
  const waits = svg("g", { class: "waits" });
  const state = svg("path", { class: "state" });
  const raw = svg("path", { class: "raw" });
  const threshold = svg("path", { class: "threshold" });
  const weakest = svg("path", { class: "weakest" });
  const marks = svg("g", { class: "marks" });
  const element = svg(
    "svg",
    { class: "strip", viewBox: `0 0 ${WIDTH} 100`, preserveAspectRatio: "none", "aria-hidden": "true" },
    grid,
    waits,
    threshold,
    weakest,
    state,
    raw,
    marks,
  );
  const labels = h("div", { class: "labels", "aria-hidden": "true" });

  function band(kind, from, to, x) {
    if (to <= 0) return null;
    const left = Math.max(0, x(from));
    return svg("rect", { class: kind, x: left, width: Math.max(1.5, x(to) - left), y: 4, height: 92 });
  }

  function drawContact(traces, now, x) {
    const from = now - span;
    const lanes = traces.length;
    const place = (lane, [top, bottom], value) => {
      const slice = 100 / lanes;
      return (lane * slice + ((value ? top : bottom) * slice) / 100).toFixed(1);
    };
    const rects = [];
    let rawPath = "";
    let statePath = "";
    traces.forEach((trace, lane) => {
      rawPath += steps(trace.raw, trace.level(), from, now, x, (value) => place(lane, HIGH.raw, value));
      statePath += steps(
        trace.changes.map(([at, , on]) => [at, on]),
        trace.on(),
        from,
        now,
        x,
        (on) => place(lane, HIGH.state, on),
      );
      for (const [at, known, on] of trace.changes) {
        if (known < from) continue;
        const lockout = input.lockout[on ? "on" : "off"];
        rects.push(band("settle", at, known, x));
        if (lockout > 0) rects.push(band("lockout", known, known + lockout, x));
      }
    });
    waits.replaceChildren(...rects.filter(Boolean));
    setAttribute(raw, "d", rawPath || "M0 0");
    setAttribute(state, "d", statePath || "M0 0");
  }

  function drawBell([trace], now, x) {
    const from = now - span;
    const shown = trace.raw.filter(([at]) => at >= from);
    const top = Math.max(SCALE, input.threshold * 2, input.weakest * 1.3, ...shown.map(([, value]) => value * 1.1));
    const y = (value) => (BELL - (value / top) * (BELL - 6)).toFixed(1);
    // A board tells nothing below the threshold: silence between readings is drawn as silence.
    let path = `M0 ${y(0)}`;
    let last = -Infinity;
    for (const [at, value] of shown) {
      if (at - last > 60) path += `${last > 0 ? `H${x(last + 10)}V${y(0)}` : ""}H${x(at)}`;
      path += `L${x(at)} ${y(value)}`;
      last = at;
    }
    path += shown.length ? `H${x(Math.min(now, last + 10))}V${y(0)}H${WIDTH}` : `H${WIDTH}`;
    setAttribute(raw, "d", path);
    setAttribute(threshold, "d", `M0 ${y(input.threshold)}H${WIDTH}`);
    setAttribute(weakest, "d", `M0 ${y(input.weakest)}H${WIDTH}`);
    const rects = trace.verdicts.map(([at]) => band("judge", at + input.judge[0], at + input.judge[1], x));
    waits.replaceChildren(...rects.filter(Boolean));
    // What must be left of the peak while it is judged: the decay of a ring stays above it.
    marks.replaceChildren(
      ...trace.verdicts.map(([at, , kind, peak]) => {
        const level = y(Math.max(peak * input.keep, 0));
        return svg("path", { class: `keep ${kind}`, d: `M${x(at + input.judge[0])} ${level}H${x(at + input.judge[1])}` });
      }),
    );
    drawLabels(trace, x);
  }

  function drawLabels(trace, x) {
    const shown = trace.verdicts.filter(([at]) => x(at) > 0);
    labels.replaceChildren(...shown.map(([, , kind]) => h("span", { class: kind }, t(`installer.verdicts.${kind}`))));
    shown.forEach(([at], place) => {
      labels.children[place].style.left = `${Math.min(86, x(at) / 10)}%`;
    });
  }

  function drawText([trace], now, x) {
    setAttribute(raw, "d", trace.raw.map(([at]) => `M${x(at)} 20V80`).join("") || "M0 0");
  }

  function drawPulses([trace], now, x) {
    setAttribute(raw, "d", steps(trace.raw, trace.level(), now - span, now, x, (value) => (value === input.active ? 20 : 80)));
    drawLabels(trace, x);
  }

  const drawBellBy = input.form === "readings" ? drawBell : drawPulses;
  const draw = input.settle ? drawContact : input.kind === "bell" ? drawBellBy : drawText;

  return {
    element: h("div", { class: "plot" }, element, labels),
    draw(traces, now) {
      draw(traces, now, (at) => Math.round(((at - (now - span)) / span) * WIDTH * 10) / 10);
    },
  };
}
