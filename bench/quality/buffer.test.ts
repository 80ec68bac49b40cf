import { expect, test } from 'vitest';
import { passes, timedLine, type TimedLine } from './buffer.ts';

// A degree of latitude is 111.2 km; on the equator one of longitude too.
const km = 1 / 111.195;
const at = (x: number, y: number) => ({ lon: x * km, lat: y * km });
const line = (...points: [x: number, y: number][]): TimedLine =>
  timedLine([
    {
      line: points.map(([x, y]) => [x * km, y * km] as const),
      standsMs: 0,
      milliseconds: 600_000,
    },
  ]);

const east = line([0, 0], [4, 0], [10, 0]);

test.each([
  ['both beside the line', at(2, 0.5), at(8, -0.5), true],
  ['the drop-off before the pick-up', at(8, 0.5), at(2, -0.5), false],
  ['the pick-up out of the buffer', at(2, 1.1), at(8, 0), false],
  ['the drop-off out of the buffer', at(2, 0), at(8, -1.1), false],
  ['a pick-up behind the start, within the buffer of it', at(-0.9, 0), at(8, 0), true],
  ['a pick-up beyond the buffer of the start', at(-1.1, 0), at(8, 0), false],
  ['both beside one segment, in the right order', at(5, 0.9), at(5.1, 0.9), true],
  ['both beside one segment, in the wrong order', at(5.1, 0.9), at(5, 0.9), false],
])('%s', (_, from, to, expected) => {
  expect(passes(east, from, to, 1000) !== null).toBe(expected);
});

test('metres are those to the line, and the time goes with the distance', () => {
  const found = passes(east, at(5, 0.5), at(8, -0.25), 1000)!;
  expect(found.metres).toBeCloseTo(750, 0);
  expect(found.pickupOffsetMs / 1000).toBeCloseTo(300, 0);
});

test('a line that comes back passes the same place twice, and one order of the two is enough', () => {
  const thereAndBack = line([0, 0], [10, 0], [10, 5], [0, 5], [0, 0.4]);
  expect(passes(thereAndBack, at(8, 0), at(0, 0.4), 500)).not.toBeNull();
  expect(passes(thereAndBack, at(0, 0.4), at(8, 0), 500)).not.toBeNull();
  expect(passes(thereAndBack, at(5, 5), at(5, 0), 500)).toBeNull();
});

test('legs follow each other, with the time the car stands between them', () => {
  const joined = timedLine([
    {
      line: [
        [0, 0],
        [km, 0],
      ],
      standsMs: 0,
      milliseconds: 60_000,
    },
    {
      line: [
        [km, 0],
        [2 * km, 0],
      ],
      standsMs: 30_000,
      milliseconds: 100_000,
    },
  ]);
  expect([...joined.offsetMs]).toEqual([0, 60_000, 90_000, 190_000]);
});
