// The maw table: the set as a race to the score, its livings marked, and under it the cards that this game is worth.

import { createCards } from "./cards.js";
import { lie } from "./race.js";
import { ballPaint, brass, grain, linear, mahogany, radial } from "./paints.js";
import { total } from "../awards.js";
import { engrave, h, setAttribute, setText, svg } from "../dom.js";
import { t } from "../texts.js";

const UPRIGHT = matchMedia("(max-aspect-ratio: 1/1)");
const FRESH_MS = 5000;
const EVERY = 5;

export function createMaw() {
  const element = h("div", { class: "maw drawn", role: "img" });
  let race = null;
  let latest = null;
  let measures = "";

  function draw(score) {
    race = createRace(UPRIGHT.matches, score.options);
    element.replaceChildren(race.still, race.moving);
  }

  function show(score) {
    const { out, livings } = score.options;
    const wanted = JSON.stringify([out, livings, UPRIGHT.matches]);
    if (wanted !== measures) draw(score);
    measures = wanted;
    latest = score;
    race.show(score);
    setAttribute(element, "aria-label", describe(score));
  }

  UPRIGHT.addEventListener("change", () => latest && show(latest));
  return {
    element,
    show,
    told({ over, sides }) {
      return over?.rule === "M-04" ? [t("maw.hasSet", { name: sides.find((side) => side.id === over.winner)?.name })] : [];
    },
  };
}

function describe(score) {
  const lines = score.sides.map(({ name, score: points }) => t("maw.line", { name, score: points }));
  return t("maw.label", { out: score.options.out, lines: lines.join(" "), n: worth(score) });
}

// What this game is worth as it stands: its cards.
export function worth({ options, position: { deal } }) {
  return options.game_value + (deal.asked ? 1 : 0) + deal.crossed;
}

function createRace(upright, { out, livings }) {
  const place = lie(upright, out);
  const layer = (name) => svg("svg", { class: name, viewBox: place.viewBox, preserveAspectRatio: "xMidYMid", "aria-hidden": "true" });
  const still = layer("still");
  const moving = layer("moving");
  const lanes = [0, 1].map((side) => createLane(place, side, out, livings));
  const cards = createCards(place);
  still.append(paints(upright), ...cloth(place), ...marks(place, out, livings));
  moving.append(...lanes.map((lane) => lane.element), cards.element);
  return {
    still,
    moving,
    show(score) {
      lanes.forEach((lane, side) => lane.show(score, score.sides[side], out));
      cards.show(score, worth(score));
    },
  };
}

function paints(upright) {
  return svg(
    "defs",
    {},
    mahogany(upright),
    grain(upright),
    radial("baize", [0.5, 0.5, 0.75], [0, "#2a6a7d"], [0.55, "#1f4d5c"], [1, "#13323d"]),
    brass(),
    linear("card-back", [0, 0, 1, 1], [0, "#8c2b2b"], [1, "#5f1717"]),
    ballPaint("piece-0", "#ffffff", "#f6eedb", "#b9ab8a"),
    ballPaint("piece-1", "#7c7c80", "#26262a", "#000000"),
    svg("pattern", { id: "hatch", width: 9, height: 9, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, svg("path", { d: "M0 0 V9", stroke: "#f3d999", "stroke-width": 5 })),
    svg("pattern", { id: "chequers", width: 16, height: 16, patternUnits: "userSpaceOnUse" }, svg("path", { d: "M0 0 H8 V16 H16 V8 H0 Z", fill: "#171310" })),
  );
}

function cloth({ width, height }) {
  const around = (inset, name, rx) => svg("rect", { class: name, x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset, rx });
  const edge = width > 1000 ? 14 : 6;
  return [around(1, "frame", edge + 4), around(1, "grain", edge + 4), around(edge, "bed", edge)];
}

// The numbers between the lanes, the livings and the finish.
function marks(place, out, livings) {
  const parts = [];
  const [from, to] = [place.number(out - livings - 0.5), place.number(out - 0.5)];
  const finish = [0, 1].map((side) => place.cell(side, out));
  const post = place.upright
    ? { x: finish[0].x - 4, y: finish[0].y - 3, width: finish[1].x + finish[1].width - finish[0].x + 8, height: finish[0].height + 6 }
    : { x: finish[0].x - 3, y: finish[0].y - 8, width: finish[0].width + 6, height: finish[1].y + finish[1].height - finish[0].y + 16 };
  parts.push(svg("rect", { class: "finish", ...post }), svg("rect", { class: "chequers", ...post }));
  for (let points = EVERY; points < out - livings; points += EVERY) parts.push(numberAt(place, points, "step-number"));
  const [x0, y0] = place.number(out);
  const [wide, high] = place.plaque;
  parts.push(svg("rect", { class: "plaque", x: x0 - wide / 2, y: y0 - high / 2, width: wide, height: high, rx: high / 8 }), numberAt(place, out, "step-number out"));
  const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  if (livings > 0) parts.push(svg("text", { class: "livings-word", x, y, transform: place.upright ? null : `translate(${-8} 0)` }, t("maw.livings")));
  return parts;
}

function numberAt(place, points, name) {
  const [x, y] = place.number(points);
  return svg("text", { class: name, x, y }, String(points));
}

function createLane(place, side, out, livings) {
  const cells = [];
  for (let points = 1; points < out; points += 1) {
    const name = points >= out - livings ? "cell livings" : "cell";
    cells.push(svg("rect", { class: name, ...place.cell(side, points), rx: place.piece / 6 }));
  }
  const { at, width, height, size } = place.plate;
  const name = svg("text", { class: "nameplate-text", y: 1 });
  const plate = svg("g", { class: "nameplate", transform: `translate(${at[side]})` }, svg("rect", { x: -width / 2, y: -height / 2, width, height, rx: height / 9 }), name);
  const letter = svg("text", { class: "letter", y: 1 });
  const crown = svg("path", { class: "crown", d: "M -24 0 L-30 -30 L-13 -16 L0 -38 L13 -16 L30 -30 L24 0 Z", transform: `translate(0 ${-place.piece}) scale(${place.piece / 43})` });
  const piece = svg("g", { class: "piece" }, svg("circle", { class: "shadow", cx: 3, cy: 5, r: place.piece }), svg("circle", { class: "body", r: place.piece }), svg("circle", { class: "rim", r: place.piece - 5 }), letter, crown);
  const ghost = svg("g", { class: "piece ghost" }, svg("circle", { r: place.piece * 0.7 }));
  const goal = svg("g", { class: "piece goal" }, svg("circle", { r: place.piece * 0.8 }));
  const element = svg("g", { class: `lane of-${side}` }, ...cells, plate, ghost, goal, piece);
  letter.style.fontSize = `${place.piece * 1.05}px`;
  let game = null;
  let shown = 0;
  let timer = 0;

  function put(token, points) {
    const [x, y] = place.at(side, points);
    token.style.transform = `translate(${x}px, ${y}px)`;
    setAttribute(token, "data-points", points);
  }

  return {
    element,
    show(score, { id, name: said, score: points }) {
      const { position: { deal }, last, phase } = score;
      engrave(name, said, width - 16, size);
      setText(letter, id);
      const before = last?.banked ? points - total(last.awards, id) : points;
      const news = game === score.game_id && points !== shown;
      cells.forEach((cell, place) => {
        cell.classList.toggle("won", place < points);
        if (news) cell.classList.toggle("fresh", place < points && place >= shown);
        else if (game !== score.game_id) cell.classList.remove("fresh");
      });
      if (news) {
        clearTimeout(timer);
        timer = setTimeout(() => cells.forEach((cell) => cell.classList.remove("fresh")), FRESH_MS);
      }
      [game, shown] = [score.game_id, points];
      put(piece, points);
      put(ghost, before);
      ghost.classList.toggle("off", before === points);
      const open = phase === "playing" && !deal.over && !score.options.strict_seed;
      put(goal, points + worth(score));
      goal.classList.toggle("off", !open);
      element.classList.toggle("has-set", score.over?.winner === id);
      element.classList.toggle("lost", score.over !== null && score.over?.winner !== id);
    },
  };
}
