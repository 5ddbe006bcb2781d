// What stands on the ground of fortification: forts with their bells and colours, and the pass. Drawn about the middle of their foot.

import { setAttribute, setText, svg } from "../dom.js";

export const FRESH_MS = 5000;

// Flags are told apart by shape and pattern as well as by colour: a cross on a square one, three stripes on a swallow-tailed one.
const CLOTH = "M0 0 C16 -6 34 6 60 0 L60 38 C34 44 16 32 0 38 Z";
const TAILED = "M0 0 C16 -6 34 6 62 -1 L48 18 L62 37 C34 44 16 32 0 38 Z";

export function flag(side) {
  if (side === "english") {
    return svg(
      "g",
      { class: "flag english" },
      svg("path", { class: "white", d: CLOTH }),
      svg("path", { class: "red", d: "M0 14 C16 8 34 20 60 14 V24 C34 30 16 18 0 24 Z M21 -2 H33 V38 H21 Z" }),
      svg("path", { class: "hem", d: CLOTH }),
    );
  }
  return svg(
    "g",
    { class: "flag french" },
    svg("path", { class: "red", d: TAILED }),
    svg("path", { class: "white", d: "M0 0 C14 -5 26 1 38 2 V39 C26 37 14 32 0 38 Z" }),
    svg("path", { class: "blue", d: "M0 0 C8 -3 13 -2 18 -1.5 V34.5 C12 34 6 36 0 38 Z" }),
    svg("path", { class: "hem", d: TAILED }),
  );
}

// A staff of this height whose flag can be struck; `way` -1 lets it fly to the left.
function staff(side, foot, height, way = 1) {
  return svg(
    "g",
    { class: "staff", transform: `translate(${foot}) scale(${way} 1)` },
    svg("path", { class: "pole", d: `M0 0 V${-height}` }),
    svg("circle", { class: "knob", cy: -height, r: 4.5 }),
    svg("g", { transform: `translate(2 ${5 - height})` }, flag(side)),
  );
}

const ARCH = "H26 V-30 A26 26 0 0 0 -26 -30 V0 Z";
const RUIN = `M -55 0 V-50 L-47 -58 L-41 -46 L-33 -64 L-24 -58 L-14 -66 L-4 -60 L8 -65 L18 -58 L30 -44 L38 -49 L44 -34 L55 -28 V0 ${ARCH}`;

function battlements(from, count, top, merlon = 14, gap = 10) {
  let path = `V${top - 14}`;
  for (let n = 0; n < count; n += 1) path += ` h${merlon} v14 ${n < count - 1 ? `h${gap} v-14` : ""}`;
  return `M${from} 0 ${path}`;
}

function wall(grand) {
  const plain = `${battlements(-55, 5, -84)} V0 ${ARCH}`;
  if (!grand) return [plain];
  return [plain, `${battlements(-72, 3, -112, 8, 6)} V0 Z`, `${battlements(36, 3, -112, 8, 6)} V0 Z`];
}

function bell() {
  return svg(
    "g",
    { class: "bell", transform: "translate(0 -52)" },
    svg(
      "g",
      { class: "swing" },
      svg("path", { class: "clapper", d: "M0 4 V26" }),
      svg("circle", { class: "clapper-end", cy: 27, r: 4 }),
      svg("path", { class: "bell-body", d: "M -3 0 H3 C12 3 9 15 15 23 H-15 C-9 15 -12 3 -3 0 Z" }),
    ),
  );
}

// The air beside a fort whose bell rings.
function sound() {
  const arcs = [[66, 18], [80, 27], [94, 36]].flatMap(([x, tall]) => [-1, 1].map((way) => `M${way * x} ${-46 - tall} Q${way * (x + 14)} -46 ${way * x} ${-46 + tall}`));
  return svg("path", { class: "sound", d: arcs.join(" ") });
}

export function createFort(place, name, [along, across]) {
  const [side, kind, number] = name.split("-");
  const grand = kind === "grand";
  const [x, y] = place.at(along, across);
  const size = place.size(along, across) * (grand ? 1.12 : 1);
  const ball = svg("g", { class: "prisoner" }, svg("circle", { class: "ball-body", cy: -15, r: 15 }));
  const element = svg(
    "g",
    { class: "fort", "data-fort": name, transform: `translate(${x} ${y}) scale(${size})` },
    svg("ellipse", { class: "ground", rx: grand ? 88 : 72, ry: 17, cy: 2 }),
    svg("ellipse", { class: "aim", rx: grand ? 94 : 78, ry: 21, cy: 2 }),
    svg("g", { class: "glow" }, ...wall(grand).map((d) => svg("path", { d }))),
    staff(side, "0 -50", grand ? 134 : 120),
    svg("path", { class: "pit", d: `M -26 0 ${ARCH}` }),
    svg("g", { class: "wall" }, ...wall(grand).map((d) => svg("path", { d })), svg("path", { class: "courses", d: "M -55 -62 H-30 M55 -62 H30 M -55 -40 H-30 M55 -40 H30 M -55 -20 H-30 M55 -20 H30" })),
    svg("path", { class: "ruin", d: RUIN }),
    bell(),
    ball,
    number ? svg("text", { class: "which", y: -70 }, number) : "",
    sound(),
    svg("g", { class: "strike", transform: `translate(-30 ${grand ? -146 : -132})` }, svg("circle", { r: 19 }), svg("path", { d: "M -9 -5 H9 L0 9 Z" })),
  );
  let shown = null;
  let game = null;
  let timer = 0;

  return {
    element,
    // `state` of the rules; `up`: whether its colours fly; `rang`: its bell has just been heard; `open`: it may be attacked now.
    show({ state, up, rang, open, lodged, game: now }) {
      setAttribute(element, "data-state", state);
      element.classList.toggle("struck", !up);
      element.classList.toggle("due", up && state === "rung");
      element.classList.toggle("hoist", !up && state === "standing");
      element.classList.toggle("open", open);
      element.classList.toggle("lodged", lodged);
      // What a page finds when it opens is not news.
      const news = game === now && shown !== null && (rang || state !== shown);
      if (news) {
        clearTimeout(timer);
        element.classList.remove("rings");
        element.getBoundingClientRect(); // a bell that rings again swings again
        element.classList.add("fresh");
        element.classList.toggle("rings", rang || state === "rung");
        timer = setTimeout(() => element.classList.remove("fresh", "rings"), FRESH_MS);
      } else if (game !== now) {
        clearTimeout(timer);
        element.classList.remove("fresh", "rings");
      }
      shown = state;
      game = now;
    },
  };
}

// The pass: one arch to be gone through, the colours of each side on its own post, and each side's way through it.
export function createPass(place, [along, across], upright) {
  const [x, y] = place.at(along, across);
  const size = place.size(along, across);
  const flags = { english: staff("english", "-52 -92", 84, -1), french: staff("french", "52 -92", 84) };
  const ways = { english: createWay([-96, 66, upright ? -90 : 0]), french: createWay([96, 66, upright ? 90 : 180]) };
  const element = svg(
    "g",
    { class: "pass", transform: `translate(${x} ${y}) scale(${size})` },
    svg("ellipse", { class: "ground", rx: 84, ry: 16, cy: 2 }),
    ...Object.values(flags),
    svg("path", { class: "gate", d: "M -62 0 V-64 A62 62 0 0 1 62 -64 V0 H42 V-62 A42 42 0 0 0 -42 -62 V0 Z" }),
    svg("path", { class: "keystone", d: "M -10 -128 H10 L7 -102 H-7 Z" }),
  );
  // The ways lie on what stands near them, or nobody could read them.
  const over = svg("g", { class: "ways", transform: `translate(${x} ${y}) scale(${size})` }, ways.english.element, ways.french.element);
  return {
    element,
    over,
    // `passes`: each side's, as the rules have it; `up`: whose colours fly.
    show(passes, up, words) {
      for (const side of ["english", "french"]) {
        flags[side].classList.toggle("struck", !up[side]);
        flags[side].classList.toggle("due", up[side] && passes[side === "english" ? "french" : "english"] === "made");
        ways[side].show(passes[side], words[side]);
      }
    },
  };
}

const WORDS_AT = { 0: [60, 46], 180: [-60, 46], "-90": [44, 68], 90: [-44, -68] };

// An arrow on the cloth: hollow while the pass is to be made, broken while its colours still fly, solid once it is regular.
function createWay([x, y, turn]) {
  const arrow = svg("path", { class: "arrow", d: "M -52 -12 H12 V-28 L52 0 L12 28 V12 H-52 Z", transform: `scale(1 0.8) rotate(${turn})` });
  // Upright the words lie where the cloth is free, away from the forts and the pockets: one below its arrow, one above.
  const words = svg("text", { class: `way-words ${turn === 0 ? "ends" : turn === 180 ? "begins" : ""}`, x: WORDS_AT[turn][0], y: WORDS_AT[turn][1] });
  const element = svg("g", { class: "way", transform: `translate(${x} ${y})` }, arrow, words);
  return {
    element,
    show(state, said) {
      setAttribute(element, "data-pass", state);
      setText(words, said);
    },
  };
}

