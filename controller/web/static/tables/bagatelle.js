// The bagatelle board: cups that light as they fill, the black on its spot, pegs along both rails.

import { CORNER, CUP, CUPS, CUSHION, HALF_WAY, HOLES, LENGTH, RAIL, SPOT_A, SPOT_B, WIDTH, hole, holeOf, lie } from "./board.js";
import { baize, ballPaint, brass, grain, mahogany, radial } from "./paints.js";
import { total } from "../awards.js";
import { engrave, h, setAttribute, svg } from "../dom.js";
import { t } from "../texts.js";

const FRESH_MS = 5000;
const NAME_SIZE = 21;
const ENDED = new Set(["over", "abandoned"]);
const LIFTING = new Set(["arming", "playing", "clearing"]);
const UPRIGHT = matchMedia("(max-aspect-ratio: 1/1)");

export function createBagatelle() {
  const element = h("div", { class: "bagatelle", role: "img" });
  let board = null;
  let latest = null;

  function draw() {
    board = createBoard(UPRIGHT.matches);
    element.replaceChildren(board.still, board.moving);
    if (latest) board.show(...latest);
  }

  UPRIGHT.addEventListener("change", draw);
  draw();
  return {
    element,
    show(score, context) {
      latest = [score, context];
      board.show(score, context);
      setAttribute(element, "aria-label", describe(score));
    },
  };
}

function describe({ position }) {
  const cups = Object.entries(position.cups ?? {}).map(([n, ball]) => t("cupHolds", { n, ball: t(`balls.${kindOf(ball)}`) }));
  return t("boardLabel", { cups: cups.join(", ") || t("noCups") });
}

function kindOf(ball) {
  return ball.split("-")[0];
}

// Two drawings lie on one another: wood and cloth, which are painted once, and what moves.
function createBoard(upright) {
  const place = lie(upright);
  const layer = (name) => svg("svg", { class: name, viewBox: place.viewBox(), preserveAspectRatio: upright ? "xMidYMin" : "xMidYMid", "aria-hidden": "true" });
  const still = layer("still");
  const moving = layer("moving");
  const plates = [createNameplate(place, 0, upright), createNameplate(place, 1, upright)];
  still.append(paints(upright), ...wood(place), ...cloth(place), ...rails(place), ...plates.map((plate) => plate.element));
  const cups = new Map([...CUPS].map(([number, where]) => [number, createCup(place, number, where)]));
  const black = ball(place, SPOT_A, WIDTH / 2, "black");
  const pegs = [createPegs(place, 0), createPegs(place, 1)];
  const finishes = [0, 1].map(() => svg("circle", { class: "finish", r: 8.4 }));
  moving.append(...[...cups.values()].map((cup) => cup.element), black, ...finishes, ...pegs.map((pair) => pair.element));

  return {
    still,
    moving,
    show(score, { questions }) {
      const { position } = score;
      const asked = new Set(questions.flatMap(({ roles, choices }) => [...roles, ...choices.map(({ choice }) => choice)]));
      const seen = score.seen?.cups ?? {};
      for (const [number, cup] of cups) {
        const counted = position.cups?.[number];
        cup.show({
          kind: kindOf(counted ?? seen[number] ?? ""),
          toLift: counted === undefined && seen[number] !== undefined && LIFTING.has(score.phase),
          asked: asked.has(`cup-${number}`),
          game: score.game_id,
        });
      }
      setAttribute(black, "class", position.black === "spot-a" && !ENDED.has(score.phase) ? "ball black" : "ball black off");
      score.sides.slice(0, 2).forEach((side, index) => {
        plates[index].show(side);
        pegs[index].show(side, score);
      });
      const target = holeOf(score.options.target ?? HOLES);
      finishes.forEach((ring, side) => setAttribute(ring, "transform", `translate(${place.point(...hole(side, target))})`));
    },
  };
}

// Wood, cloth, holes

function paints(upright) {
  return svg(
    "defs",
    {},
    mahogany(upright),
    grain(upright),
    baize(upright ? 0.5 : 0.62, upright ? 0.38 : 0.5),
    brass(),
    radial("pit", [0.5, 0.42, 0.6], [0, "#050807"], [0.75, "#0b1611"], [1, "#12271d"]),
    ballPaint("ball-white", "#ffffff", "#f6eedb", "#b9ab8a"),
    ballPaint("ball-red", "#f08a72", "#c5302a", "#6d1210"),
    ballPaint("ball-black", "#8a8a8a", "#1d1d1f", "#000000"),
    ballPaint("ball-seen", "#fff7e0", "#cdbd95", "#7c6f52"),
    ballPaint("peg-front", "#ffffff", "#ffe9b0", "#c08a2e"),
  );
}

function wood(place) {
  return [
    svg("path", { d: place.outline(RAIL + CUSHION), class: "frame" }),
    svg("path", { d: place.outline(RAIL + CUSHION), class: "grain" }),
    svg("path", { d: place.outline(RAIL + CUSHION - 5), class: "bead" }),
    svg("path", { d: place.outline(CUSHION + 3), class: "lip" }),
    svg("path", { d: place.outline(CUSHION), class: "cushion" }),
    svg("path", { d: place.outline(0), class: "bed" }),
  ];
}

function cloth(place) {
  const middle = WIDTH / 2;
  const spot = (along, name) => {
    const [x, y] = place.at(along, middle);
    const [tx, ty] = place.at(along + 18, middle - 18);
    return [svg("circle", { class: `spot ${name}`, cx: x, cy: y, r: 4.2 }), svg("text", { class: `spot-name ${name}`, x: tx, y: ty }, name)];
  };
  return [
    svg("path", { class: "half-way", d: `M${place.point(HALF_WAY, 0)} L${place.point(HALF_WAY, WIDTH)}` }),
    ...spot(SPOT_A, "a"),
    ...spot(SPOT_B, "b"),
  ];
}

function rails(place) {
  const parts = [];
  for (const side of [0, 1]) {
    for (let number = 0; number <= HOLES; number += 1) {
      const [x, y] = place.at(...hole(side, number));
      parts.push(svg("circle", { class: number % 10 === 0 && number > 0 ? "hole ten" : "hole", cx: x, cy: y, r: 2.7 }));
      if (number > 0 && number % 10 === 0 && number !== CORNER) parts.push(railNumber(place, side, number));
    }
    parts.push(corner(place, side));
  }
  return parts;
}

function railNumber(place, side, number) {
  const [along, across] = hole(side, number);
  const out = (side === 0 ? -1 : 1) * (number > CORNER ? -12 : 11.5);
  const [x, y] = place.at(along, across + out);
  return svg("text", { class: "rail-number", x, y }, String(number));
}

// The corner: the brass bend from the last hole up to the first hole down.
function corner(place, side) {
  const [along, up] = hole(side, CORNER);
  const [, down] = hole(side, CORNER + 1);
  const bend = along - 30;
  const [x, y] = place.at(along - 41, (up + down) / 2);
  return svg(
    "g",
    { class: "corner" },
    svg("path", { d: `M${place.point(along - 8, up)} C${place.point(bend, up)} ${place.point(bend, down)} ${place.point(along - 8, down)}` }),
    svg("text", { x, y }, String(CORNER)),
  );
}

function createNameplate(place, side, upright) {
  const middle = RAIL / 2 + CUSHION + 1;
  const [x, y] = place.at(LENGTH - 50, side === 0 ? -middle : WIDTH + middle);
  const [width, height] = [112, 34];
  const text = svg("text", { class: "nameplate-text", y: 1 });
  const element = svg(
    "g",
    { class: "nameplate", transform: `translate(${x} ${y})${upright ? ` rotate(${side === 0 ? -90 : 90})` : ""}` },
    svg("rect", { x: -width / 2, y: -height / 2, width, height, rx: 4 }),
    svg("circle", { cx: -width / 2 + 6, r: 1.6 }),
    svg("circle", { cx: width / 2 - 6, r: 1.6 }),
    text,
  );
  return {
    element,
    show({ name }) {
      engrave(text, name, width - 20, NAME_SIZE);
    },
  };
}

// What moves

function ball(place, along, across, kind) {
  const [x, y] = place.at(along, across);
  return svg(
    "g",
    { class: `ball ${kind}`, transform: `translate(${x} ${y})` },
    svg("circle", { class: "shadow", cx: 2, cy: 3.5, r: CUP - 1 }),
    svg("circle", { class: "body", r: CUP - 2 }),
  );
}

function createCup(place, number, [along, across]) {
  const [x, y] = place.at(along, across);
  const content = svg("g", { class: "content" }, svg("circle", { class: "body", r: CUP - 2.5 }));
  const label = svg("text", { class: "number", y: 1 }, String(number));
  const twice = svg("g", { class: "twice", transform: `translate(${CUP * 0.78} ${-CUP * 0.78})` }, svg("circle", { r: 11.5 }), svg("text", { y: 0.5 }, "×2"));
  const element = svg(
    "g",
    { class: "cup", "data-cup": number, transform: `translate(${x} ${y})` },
    svg("circle", { class: "glow", r: CUP + 7 }),
    svg("circle", { class: "rim", r: CUP + 1.5 }),
    svg("circle", { class: "pit", r: CUP - 1 }),
    content,
    label,
    twice,
    svg("g", { class: "query", transform: `translate(${-CUP * 0.78} ${-CUP * 0.78})` }, svg("circle", { r: 11.5 }), svg("text", { y: 0.5 }, "?")),
  );
  let shown = "";
  let game = null;
  let timer = 0;

  return {
    element,
    show({ kind, toLift, asked, game: now }) {
      element.classList.toggle("asked", asked);
      element.classList.toggle("to-lift", toLift);
      setAttribute(element, "data-ball", kind);
      if (kind !== shown || game !== now || toLift) {
        // What a page finds when it opens is not news, nor is a ball that lies there uncounted.
        const news = game === now && kind !== "" && !toLift;
        clearTimeout(timer);
        element.classList.toggle("fresh", news);
        if (news) timer = setTimeout(() => element.classList.remove("fresh"), FRESH_MS);
      }
      shown = kind;
      game = now;
    },
  };
}

// Two pegs a player: the front one at the total, the hinder one at the total before; a ring where the front would go next.
function createPegs(place, index) {
  const back = svg("g", { class: "peg back" }, svg("circle", { r: 7 }));
  const front = svg("g", { class: "peg front" }, svg("circle", { r: 8.6 }), svg("circle", { class: "gleam", cx: -2.4, cy: -2.6, r: 2 }));
  const next = svg("g", { class: "peg next" }, svg("circle", { r: 8 }));
  const element = svg("g", { class: "pegs" }, back, next, front);
  let game = null;
  let shown = 0;
  let before = 0;

  function put(peg, number, aside = 0) {
    const [along, across] = hole(index, number);
    const [x, y] = place.at(along + aside, across);
    peg.style.transform = `translate(${x}px, ${y}px)`;
    setAttribute(peg, "data-hole", number);
  }

  return {
    element,
    show({ id, score: points, pending }, score) {
      if (game !== score.game_id) [game, shown, before] = [score.game_id, points, points];
      if (points !== shown) [before, shown] = [shown, points];
      const banked = [score.last, ...score.earlier].find((entry) => entry?.banked && total(entry.awards, id) !== 0);
      const hinder = banked ? points - total(banked.awards, id) : before;
      put(front, holeOf(points));
      put(back, holeOf(hinder), hinder === points ? 11 : 0);
      put(next, holeOf(points + pending));
      next.classList.toggle("off", !(pending > 0) || ENDED.has(score.phase));
    },
  };
}
