import { expect, test } from 'vitest';
import { coverView, type ViewSize } from './cover.ts';
import type { Bounds, LonLat } from './shapes.ts';

const stateCollege: Bounds = [-77.9149, 40.7, -77.7437, 40.8585];
const town: LonLat = [-77.8616, 40.7945];

/** What a view shows in degrees, by the Mercator projection of the map. */
function seen(
  { center, zoom }: { center: LonLat; zoom: number },
  { widthPx, abovePx, belowPx }: ViewSize,
): Bounds {
  const scale = 512 * 2 ** zoom;
  const half = (widthPx / 2 / scale) * 360;
  const y = Math.asinh(Math.tan((center[1] * Math.PI) / 180)) / (2 * Math.PI);
  const latAt = (height: number) => (Math.atan(Math.sinh(2 * Math.PI * height)) * 180) / Math.PI;
  return [center[0] - half, latAt(y - belowPx / scale), center[0] + half, latAt(y + abovePx / scale)];
}

test.each([
  ['a phone, above its sheet', { widthPx: 390, abovePx: 200, belowPx: 644 }],
  ['a tablet, above its sheet', { widthPx: 820, abovePx: 280, belowPx: 900 }],
  ['a desktop', { widthPx: 915, abovePx: 450, belowPx: 450 }],
])('the first look on %s is filled by the region, with the town in its middle', (_, size) => {
  const view = coverView(stateCollege, town, size);
  const [west, south, east, north] = seen(view, size);
  expect(west).toBeGreaterThan(stateCollege[0]);
  expect(south).toBeGreaterThan(stateCollege[1]);
  expect(east).toBeLessThan(stateCollege[2]);
  expect(north).toBeLessThan(stateCollege[3]);
  expect(view.center[0]).toBeCloseTo(town[0]);
  expect(view.center[1]).toBeCloseTo(town[1]);
  expect(view.zoom).toBeLessThan(13.5);
});

test('a town at the edge of its region moves aside rather than show what lies beyond', () => {
  const size = { widthPx: 390, abovePx: 300, belowPx: 300 };
  const view = coverView(stateCollege, [-77.91, 40.71], size);
  const [west, south] = seen(view, size);
  expect(view.zoom).toBe(13.5);
  expect(west).toBeGreaterThan(stateCollege[0]);
  expect(south).toBeGreaterThan(stateCollege[1]);
});

test('a region of a few streets is not looked at closer than a town', () => {
  const few: Bounds = [-77.863, 40.793, -77.86, 40.796];
  expect(coverView(few, town, { widthPx: 915, abovePx: 450, belowPx: 450 }).zoom).toBe(13.5);
});
