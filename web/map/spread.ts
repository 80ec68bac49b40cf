export interface Point {
  x: number;
  y: number;
}

/** Maximum rounds over all pairs; pairs that still touch then are farther apart than they were. */
const mostRounds = 200;

/**
 * Pushes points apart until no two are nearer than `least` pixels, each as little as its neighbors ask for,
 * so that every pin can be seen and tapped. The same points give the same answer; points far from all others
 * stay.
 */
export function spread(points: readonly Point[], least: number): Point[] {
  const placed = points.map(({ x, y }) => ({ x, y }));
  for (let round = 0; round < mostRounds; round++) {
    let moved = false;
    for (let first = 0; first < placed.length; first++)
      for (let second = first + 1; second < placed.length; second++)
        moved = pushApart(placed[first]!, placed[second]!, { least, turn: first * 7 + second }) || moved;
    if (!moved) break;
  }
  return placed;
}

/** Moves both by half of what is missing; whether it had to. */
function pushApart(a: Point, b: Point, { least, turn }: { least: number; turn: number }): boolean {
  const distance = Math.hypot(b.x - a.x, b.y - a.y);
  if (distance >= least) return false;
  // Two at the very same point have no direction between them: a pair's own turn gives one.
  const angle = distance === 0 ? turn * 2.399963 : Math.atan2(b.y - a.y, b.x - a.x);
  // A little more than missing, so that the sum of halves does not end short of it.
  const push = (least - distance) / 2 + 0.01;
  a.x -= Math.cos(angle) * push;
  a.y -= Math.sin(angle) * push;
  b.x += Math.cos(angle) * push;
  b.y += Math.sin(angle) * push;
  return true;
}
