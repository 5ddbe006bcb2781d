// Sides as people know them: by their names, which texts that come from the table may lack.

import { t } from "./texts.js";

// As many letters of a name as sentences have room for: the head shows more of it, and has the whole in its title.
const MOST_LETTERS = 34;

// What a reader takes for one letter, as far as this browser knows.
function lettersOf(name) {
  return Intl.Segmenter ? [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment) : [...name];
}

function short(name) {
  if (name.length <= MOST_LETTERS) return name;
  const whole = lettersOf(name);
  return whole.length <= MOST_LETTERS ? name : `${whole.slice(0, MOST_LETTERS - 1).join("").trimEnd()}…`;
}

// A side that nobody has named is called by its id, which has words in every language. `name` is as sentences have it, `whole` as given.
export function named(score) {
  const sides = score.sides.map((side) => {
    const whole = side.name === side.id ? t(`sides.${side.id}`) : side.name;
    return { ...side, name: short(whole), whole };
  });
  return { ...score, sides };
}

// The letter A begins sentences too.
const NOUNS = "ball|black|blank|bell|captain|card|claim|clear|deal|game|new|player|round|shot|side|squail|stroke|touch|trick|vied";

// A sentence of the table: where sides are letters the rules name them so, people by name. Numbers have a minus, not a hyphen.
export function inNames(text, sides) {
  const names = new Map(sides.filter(({ id }) => id.length === 1).map(({ id, name }) => [id, name]));
  const words = text.replace(/(^|\s)-(?=\d)/g, "$1−");
  if (!names.size) return words;
  const letters = new RegExp(`\\b[${[...names.keys()].join("")}]\\b(?!\\S*\\d| (?:${NOUNS})\\b)`, "g");
  return words.replace(letters, (id) => names.get(id));
}
