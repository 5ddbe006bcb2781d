// The cards of a game of maw: one for each point that it is worth. Four lie for the game, one is asked, accepted vied cards lie crossed;
// a vied card that waits for its answer is put forward.

import { engrave, setText, svg } from "../dom.js";
import { t } from "../texts.js";

const [WIDE, TALL] = [96, 136];
const TRICKS = 5;
const MOST_CROSSED = 6;
const WORTH_WIDE = 360;
const SIZE = 30; // of words under a group

function card(name = "card") {
  return svg(
    "g",
    { class: name },
    svg("rect", { class: "card-edge", x: -WIDE / 2, y: -TALL / 2, width: WIDE, height: TALL, rx: 10 }),
    svg("rect", { class: "card-back", x: -WIDE / 2 + 8, y: -TALL / 2 + 8, width: WIDE - 16, height: TALL - 16, rx: 5 }),
    svg("path", { class: "card-figure", d: "M0 -34 L24 0 L0 34 L-24 0 Z M0 -17 L12 0 L0 17 L-12 0 Z" }),
  );
}

const SUITS = { H: "♥", D: "♦", C: "♣", S: "♠" };

// A card face up, as a reader saw it; one that nobody read lies on its face.
function face(read) {
  if (!read) return card();
  const [rank, suit] = [read.slice(0, -1), read.slice(-1)];
  const paint = suit === "H" || suit === "D" ? "red" : "black";
  return svg(
    "g",
    { class: `card face ${paint}`, "data-card": read },
    svg("rect", { class: "card-edge", x: -WIDE / 2, y: -TALL / 2, width: WIDE, height: TALL, rx: 10 }),
    svg("text", { class: "rank", y: -26 }, rank),
    svg("text", { class: "suit", y: 30 }, SUITS[suit]),
  );
}

function slot() {
  return svg("rect", { class: "slot", x: -WIDE / 2, y: -TALL / 2, width: WIDE, height: TALL, rx: 10 });
}

// A place on the cloth with its words under it.
function createGroup(place, name) {
  const wide = name === "turned" ? place.besideTurned : place.beside;
  const words = svg("text", { class: "group-words", y: 94 });
  const more = svg("text", { class: "group-words more", y: 126 });
  const cards = svg("g", { class: "group-cards" });
  const element = svg("g", { class: `group ${name}`, transform: `translate(${place.groups[name]}) scale(${place.card})` }, cards, words, more);
  let drawn = "";
  return {
    element,
    // `lain`: transforms, one a card; none leaves the place empty.
    show(lain, said, below = "", draw = card) {
      engrave(words, said, wide, SIZE);
      engrave(more, below, wide, SIZE);
      const wanted = JSON.stringify([lain, draw.name, said, below]);
      if (wanted === drawn) return;
      drawn = wanted;
      cards.replaceChildren(
        ...(lain.length ? [] : [slot()]),
        ...lain.map((transform) => svg("g", { transform }, draw())),
      );
    },
  };
}

function forward() {
  return card("card forward");
}

function trumps(turned) {
  return turned ? t("maw.trumps", { suit: SUITS[turned.slice(-1)] }) : "";
}

function fan(count) {
  const apart = Math.min(34, 136 / Math.max(1, count - 1));
  return Array.from({ length: count }, (_, n) => `translate(${(n - (count - 1) / 2) * apart} ${Math.abs(n - (count - 1) / 2) * 3}) rotate(${(n - (count - 1) / 2) * 5})`);
}

// Each accepted card lies across the one before.
function across(count) {
  return Array.from({ length: Math.min(count, MOST_CROSSED) }, (_, n) => `translate(${(n - (Math.min(count, MOST_CROSSED) - 1) / 2) * 22} ${(n % 2) * 6 - 3}) rotate(${n % 2 ? 52 : -38})`);
}

export function createCards(place) {
  const groups = Object.fromEntries(["game", "asked", "crossed", "vied", "turned"].map((name) => [name, createGroup(place, name)]));
  const worthWords = svg("text", { class: "worth-words", y: -82 });
  const worthNumber = svg("text", { class: "worth-number", y: 14 });
  const forSet = svg("text", { class: "worth-words set", y: 104 });
  const worth = svg("g", { class: "worth", transform: `translate(${place.worth.at}) scale(${place.worth.size})` }, worthWords, worthNumber, forSet);
  const tricks = createTricks(place);
  const element = svg("g", { class: "deal" }, worth, ...Object.values(groups).map((group) => group.element), tricks.element);

  return {
    element,
    show({ position: { deal }, seen, sides, options, phase }, points) {
      const nameOf = (id) => sides.find((side) => side.id === id)?.name ?? "";
      const other = (id) => sides.find((side) => side.id !== id)?.name ?? "";
      const ended = deal.over || phase === "over" || phase === "abandoned";
      element.classList.toggle("ended", ended);
      setText(worthWords, ended && phase !== "over" ? t("maw.dealOver") : t("maw.worth"));
      setText(worthNumber, options.strict_seed ? "?" : points);
      engrave(forSet, deal.for_set ? t("maw.forSet", { name: nameOf(deal.for_set) }) : "", WORTH_WIDE, 34);
      groups.game.show(fan(Math.min(options.game_value, 9)), t("maw.game"), String(options.game_value));
      groups.asked.show(deal.asked ? ["rotate(0)"] : [], deal.asked ? t("maw.askedBy", { name: nameOf(deal.asked) }) : t("maw.asked"), deal.asked ? "+1" : "");
      groups.crossed.show(across(deal.crossed), t("maw.crossed"), deal.crossed ? `+${deal.crossed}` : "");
      const waits = deal.pending;
      groups.vied.element.classList.toggle("off", !waits);
      groups.vied.show(waits ? ["rotate(-9)"] : [], waits ? t("maw.vied", { name: nameOf(waits) }) : "", waits ? t("maw.waits", { name: other(waits) }) : "", forward);
      groups.turned.element.classList.toggle("off", !seen.turned_up);
      groups.turned.show(seen.turned_up ? ["rotate(4)"] : [], t("maw.turnedUp"), trumps(seen.turned_up), () => face(seen.turned_up));
      tricks.show(deal, seen, deal.led ? t("maw.leads", { name: nameOf(deal.led) }) : "");
    },
  };
}

// The tricks of the deal, as packets of two cards, each with its taker where that is known; the one that is led to stands out. While
// cards of a trick lie face up, they are shown instead.
function createTricks(place) {
  const takers = Array.from({ length: TRICKS }, () => svg("text", { class: "taker", y: -6 }));
  const packets = takers.map((taker, n) =>
    svg("g", { class: "packet", transform: `translate(${(n - (TRICKS - 1) / 2) * (place.upright ? 50 : 62)} 0)` }, svg("rect", { x: -22, y: -40, width: 44, height: 62, rx: 6 }), svg("rect", { x: -22, y: -32, width: 44, height: 62, rx: 6, transform: "rotate(9)" }), taker),
  );
  const row = svg("g", { class: "packets" }, ...packets);
  const open = svg("g", { class: "trick" });
  const words = svg("text", { class: "group-words", y: 94 });
  const more = svg("text", { class: "group-words more", y: 126 });
  const element = svg("g", { class: "group tricks", transform: `translate(${place.groups.tricks}) scale(${place.card})` }, row, open, words, more);
  let drawn = "";
  return {
    element,
    show({ tricks, led }, seen, said) {
      const trick = seen.trick ?? [];
      const taken = Object.entries(seen.taken ?? {}).flatMap(([side, count]) => Array(count).fill(side));
      packets.forEach((packet, n) => {
        packet.classList.toggle("played", n < tricks);
        packet.classList.toggle("led", n === tricks && led !== null);
        setText(takers[n], n < tricks ? taken[n] : "");
      });
      row.classList.toggle("off", trick.length > 0);
      engrave(words, tricks ? t("maw.tricks", { n: tricks }) : t("maw.noTricks"), place.besideTricks, SIZE);
      engrave(more, said, place.besideTricks, SIZE);
      const wanted = JSON.stringify(trick);
      if (wanted === drawn) return;
      drawn = wanted;
      const apart = Math.min(104, 300 / Math.max(1, trick.length));
      open.replaceChildren(...trick.map(({ card: read }, n) => svg("g", { transform: `translate(${(n - (trick.length - 1) / 2) * apart} 0) scale(0.92)` }, face(read))));
    },
  };
}
