import { expect, test } from 'vitest';
import { orientationOf, type Transform } from './orientation.ts';

const left = (turnsLeft: number): Transform => ({ turnsLeft });
const sideways: Transform = { flip: 'sideways' };
const upsideDown: Transform = { flip: 'upsideDown' };

test.each<[string, Transform[], number]>([
  ['nothing', [], 1],
  ['no turn', [left(0)], 1],
  ['a quarter to the left', [left(1)], 8],
  ['half a turn', [left(2)], 3],
  ['a quarter to the right', [left(3)], 6],
  ['two quarters to the left', [left(1), left(1)], 3],
  ['a flip sideways', [sideways], 2],
  ['a flip upside down', [upsideDown], 4],
  ['both flips', [sideways, upsideDown], 3],
  ['a flip and its like', [upsideDown, upsideDown], 1],
  ['a flip sideways, then a quarter to the right', [sideways, left(3)], 7],
  ['a flip sideways, then a quarter to the left', [sideways, left(1)], 5],
  ['a quarter to the left, then a flip sideways', [left(1), sideways], 7],
  ['a quarter to the right, then a flip upside down', [left(3), upsideDown], 7],
])('%s is the orientation of EXIF', (_, transforms, orientation) => {
  expect(orientationOf(transforms)).toBe(orientation);
});
