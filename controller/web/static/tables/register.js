// The drawing of each game's table. A drawing is `create() -> {element, show(score, context)}`; a game without one gets the plain page.

import { createBagatelle } from "./bagatelle.js";
import { createPlain } from "./plain.js";

const drawings = { bagatelle: createBagatelle };

export function createTable(game) {
  return (drawings[game] ?? createPlain)();
}
