// The measures of the maw table: two lanes of as many steps as set a side out, and the places of the cards beneath them. Lengthwise the
// lanes run to the right, upright they run up with the cards beside them.

const LENGTHWISE = {
  width: 1824, height: 544, start: 286, end: 1712, lanes: [66, 196], cell: [0.8, 74], numbers: 131, piece: 43,
  plate: { at: [[130, 66], [130, 196]], width: 204, height: 62, size: 32 }, plaque: [52, 48], beside: 232, besideTurned: 232, besideTricks: 302,
  worth: { at: [204, 402], size: 1 }, groups: { game: [500, 376], asked: [726, 376], crossed: [930, 376], vied: [1142, 376], turned: [1340, 376], tricks: [1594, 376] }, card: 1,
};
const UPRIGHT = {
  width: 358, height: 420, start: 368, end: 40, lanes: [50, 140], cell: [0.76, 40], numbers: 95, piece: 21,
  plate: { at: [[50, 404], [140, 404]], width: 82, height: 22, size: 14 }, plaque: [34, 19], beside: 224, besideTurned: 172, besideTricks: 214,
  worth: { at: [264, 56], size: 0.42 }, groups: { game: [220, 152], asked: [301, 152], crossed: [216, 252], vied: [301, 252], turned: [220, 348], tricks: [302, 348] }, card: 0.42,
};

export function lie(upright, out) {
  const measures = upright ? UPRIGHT : LENGTHWISE;
  const { start, end, lanes } = measures;
  const step = (end - start) / out;
  const along = (points) => start + Math.max(0, Math.min(points, out)) * step;
  return {
    ...measures,
    viewBox: `0 0 ${measures.width} ${measures.height}`,
    upright,
    // Where a piece of side 0 or 1 stands that has so many points.
    at: (side, points) => (upright ? [lanes[side], along(points)] : [along(points), lanes[side]]),
    // The cell of one point, as a rectangle's attributes.
    cell(side, points) {
      const [long, wide] = [Math.abs(step) * measures.cell[0], measures.cell[1]];
      const [x, y] = this.at(side, points);
      const [width, height] = upright ? [wide, long] : [long, wide];
      return { x: x - width / 2, y: y - height / 2, width, height };
    },
    number: (points) => (upright ? [measures.numbers, along(points)] : [along(points), measures.numbers]),
  };
}
