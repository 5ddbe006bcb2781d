// The table of fortification: both lines of forts with their colours and bells, the pass between them, the balls on their spots.

import { EARLIER, ENEMY, FORTS, LENGTH, PASS, POCKETS, SIDES, SPOTS, WIDTH, lie } from "./ground.js";
import { createFort, createPass, flag } from "./fort.js";
import { baize, ballPaint, brass, grain, linear, mahogany } from "./paints.js";
import { engrave, h, setAttribute, svg } from "../dom.js";
import { t } from "../texts.js";

const UPRIGHT = matchMedia("(max-aspect-ratio: 1/1)");
const ENDED = new Set(["over", "abandoned"]);

export function createFortification() {
  const element = h("div", { class: "fortification drawn", role: "img" });
  let ground = null;
  let latest = null;

  function draw() {
    ground = createGround(UPRIGHT.matches);
    element.replaceChildren(ground.still, ground.moving);
    if (latest) ground.show(latest);
  }

  UPRIGHT.addEventListener("change", draw);
  draw();
  return {
    element,
    show(score) {
      latest = score;
      ground.show(score);
      setAttribute(element, "aria-label", describe(score));
    },
    // What the end of a game is remembered by.
    told({ position, over, sides }) {
      if (!over?.winner) return [];
      const loser = sides.find((side) => side.id !== over.winner);
      const n = fallen(position, loser.id);
      return n > 0 ? [t("fort.fallen", { n, name: loser.name })] : [];
    },
  };
}

function fallen(position, side) {
  return Object.entries(position.forts).filter(([fort, state]) => fort.startsWith(side) && state === "taken").length;
}

function describe({ position, sides }) {
  const lines = sides.map(({ id, name }) => t("fort.line", { name, n: 5 - fallen(position, id), pass: t(`fort.pass.${position.pass[id]}`) }));
  return t("fort.label", { lines: lines.join(" ") });
}

// Whose colours fly: a fort's until it is taken, a side's pass colours until the enemy's pass is regular. What a switch sees comes first.
function flies(of, { position, seen }) {
  if (seen.down?.includes(of)) return false;
  const [side, what] = of.split("-");
  return what === "pass" ? position.pass[ENEMY[side]] !== "regular" : position.forts[of] !== "taken";
}

// Whether the side in turn may attack this fort by the articles as things stand.
function mayFall(fort, { position, turn, phase }) {
  const [side, kind] = fort.split("-");
  if (phase !== "playing" || turn !== ENEMY[side] || position.pass[turn] !== "regular" || position.forts[fort] !== "standing") return false;
  return EARLIER[kind].every((before) => position.forts[`${side}-${before}`] === "taken");
}

// Bells that have been heard: by the table's own ears, or in the stroke that was entered last.
function heard({ seen, last }) {
  if (seen.rang) return seen.rang.map((fort) => [fort, "heard"]);
  const facts = last?.event?.facts ?? [];
  return facts.filter((fact) => fact.fact === "bell").map((fact) => [fact.fort, last.event_id]);
}

function createGround(upright) {
  const place = lie(upright);
  const layer = (name) => svg("svg", { class: name, viewBox: place.viewBox, preserveAspectRatio: "xMidYMid", "aria-hidden": "true" });
  const still = layer("still");
  const moving = layer("moving");
  still.append(paints(upright), ...table(place));
  const plates = SIDES.map((side) => createPlate(place, side, upright));
  const pass = createPass(place, PASS, upright);
  const forts = new Map([...FORTS].map(([name, where]) => [name, createFort(place, name, where)]));
  const balls = new Map([...SPOTS].map(([name, where]) => [name, createBall(place, name, where)]));
  const banner = createBanner(place);
  // What is nearer is painted over what is farther.
  const standing = [
    [PASS, pass],
    ...[...FORTS].map(([name, where]) => [where, forts.get(name)]),
    ...[...SPOTS].map(([name, where]) => [where, balls.get(name)]),
  ].sort(([one], [other]) => place.at(...one)[1] - place.at(...other)[1]);
  moving.append(...plates.map((plate) => plate.element), ...standing.map(([, thing]) => thing.element), pass.over, banner.element);
  let before = new Map();

  return {
    still,
    moving,
    show(score) {
      const { position, seen, game_id: game } = score;
      const bells = new Map(heard(score));
      for (const [name, fort] of forts) {
        const state = position.forts[name];
        fort.show({
          state,
          up: flies(name, score),
          rang: bells.has(name) && before.get(name) !== bells.get(name),
          open: mayFall(name, score),
          lodged: state === "rung" && `${ENEMY[name.split("-")[0]]}-attack` in position.unspotted,
          game,
        });
      }
      before = bells;
      const up = Object.fromEntries(SIDES.map((side) => [side, flies(`${side}-pass`, score)]));
      pass.show(position.pass, up, Object.fromEntries(SIDES.map((side) => [side, t(`fort.pass.${position.pass[side]}`)])));
      for (const [name, ball] of balls) ball.show({ owed: name in position.unspotted, there: seen.spots?.includes(name) ?? false });
      score.sides.forEach((side, index) => plates[index].show(side));
      banner.show(ENDED.has(score.phase) ? score.over?.winner : null);
    },
  };
}

function paints(upright) {
  return svg(
    "defs",
    {},
    mahogany(upright),
    grain(upright),
    baize(0.5, 0.5),
    brass(),
    linear("stone", [0, 0, 1, 0.6], [0, "#e2d5b8"], [0.5, "#bfae8b"], [1, "#86765a"]),
    linear("rubble", [0, 0, 1, 0.6], [0, "#7d7567"], [0.5, "#5c554a"], [1, "#3d382f"]),
    ballPaint("ivory", "#ffffff", "#f4ead2", "#a3936f"),
  );
}

function table(place) {
  return [
    svg("path", { class: "apron", d: place.apron(30, 34, place.height / 18) }),
    svg("path", { class: "frame", d: place.outline(30, 34) }),
    svg("path", { class: "grain", d: place.outline(30, 34) }),
    svg("path", { class: "lip", d: place.outline(11, 14) }),
    svg("path", { class: "cushion", d: place.outline(8, 10) }),
    svg("path", { class: "bed", d: place.outline(0, 0) }),
    svg("path", { class: "half-way", d: `M${place.point(LENGTH / 2, 0)} L${place.point(LENGTH / 2, WIDTH)}` }),
    ...POCKETS.map(([along, across]) => {
      const [cx, cy] = place.at(along, across);
      const size = place.size(along, across);
      return svg("ellipse", { class: "pocket", cx, cy, rx: 27 * size, ry: 14 * size });
    }),
  ];
}

// A brass plate on the side of the table, or upright above and below it: who holds that end.
function createPlate(place, side, upright) {
  const size = upright ? (side === "english" ? 0.44 : 0.36) : 1;
  const [along, across] = upright ? (side === "english" ? [-72, WIDTH / 2] : [LENGTH + 24, 62]) : [side === "english" ? 150 : LENGTH - 150, WIDTH + 58];
  const [x, y] = place.at(along, across);
  const text = svg("text", { class: "nameplate-text", x: 16, y: 1 });
  const element = svg(
    "g",
    { class: "nameplate", transform: `translate(${x} ${y}) scale(${size})` },
    svg("rect", { x: -170, y: -21, width: 340, height: 42, rx: 5 }),
    svg("g", { transform: "translate(-158 -15) scale(0.78)" }, flag(side)),
    text,
  );
  return {
    element,
    show({ name }) {
      const title = t(`fort.sides.${side}`);
      engrave(text, name.toLowerCase() === title.toLowerCase() ? title : t("fort.plate", { name, side: title }), 266, 30);
    },
  };
}

// The spot of a ball; the ball on it where that is seen, a broken ring where it still has to be put back.
function createBall(place, name, [along, across]) {
  const [x, y] = place.at(along, across);
  const [side, kind] = name.split("-");
  const marks = kind === "attack" ? [[-5, -19], [5, -12], [-3, -8]] : [[-6, -17], [0, -21], [6, -16], [2, -10], [-5, -9]];
  const element = svg(
    "g",
    { class: `spot-of ${side} ${kind}`, "data-ball": name, transform: `translate(${x} ${y}) scale(${place.size(along, across)})` },
    svg("ellipse", { class: "spot", rx: 10, ry: 5 }),
    svg("g", { class: "ball-there" }, svg("ellipse", { class: "ground", rx: 17, ry: 6 }), svg("circle", { class: "ball-body", cy: -14, r: 16 }), ...marks.map(([cx, cy]) => svg("circle", { class: "ball-mark", cx, cy, r: 3.2 }))),
    svg("circle", { class: "ball-owed", cy: -14, r: 17 }),
  );
  return {
    element,
    show({ owed, there }) {
      element.classList.toggle("there", there);
      element.classList.toggle("owed", owed && !there);
    },
  };
}

// The winner's colours over the pass.
function createBanner(place) {
  const [x, y] = place.at(...PASS);
  const size = place.size(...PASS);
  const flags = Object.fromEntries(SIDES.map((side) => [side, svg("g", { class: "banner-flag", transform: "translate(3 -296) scale(3.1)" }, flag(side))]));
  const element = svg(
    "g",
    { class: "banner", transform: `translate(${x} ${y + 26 * size}) scale(${size})` },
    svg("path", { class: "pole", d: "M0 0 V-306" }),
    svg("circle", { class: "knob", cy: -306, r: 9 }),
    ...Object.values(flags),
  );
  return {
    element,
    show(winner) {
      element.classList.toggle("off", !winner);
      for (const side of SIDES) flags[side].classList.toggle("off", side !== winner);
    },
  };
}
