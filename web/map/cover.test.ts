import { expect, test } from 'vitest';
import { coveringZoom, coverView } from './cover.ts';
import type { Bounds, LonLat } from './shapes.ts';

const stateCollege: Bounds = [-77.9149, 40.7, -77.7437, 40.8585];
const town: LonLat = [-77.8616, 40.7945];

/** Of the view: its bounds in degrees, by the Mercator projection of the map. */
function seen({ center, zoom }: { center: LonLat; zoom: number }, widthPx: number, heightPx: number): Bounds {
  const scale = 512 * 2 ** zoom;
  const wide = (widthPx / scale) * 360;
  const y = Math.asinh(Math.tan((center[1] * Math.PI) / 180)) / (2 * Math.PI);
  const latAt = (height: number) => (Math.atan(Math.sinh(2 * Math.PI * height)) * 180) / Math.PI;
  const half = heightPx / scale / 2;
  return [center[0] - wide / 2, latAt(y - half), center[0] + wide / 2, latAt(y + half)];
}

test.each([
  ['a phone above its sheet', 390, 350],
  ['a tablet', 820, 1180],
  ['a desktop', 1440, 900],
])('the first look on %s is filled by the region, and shows the town', (_, widthPx, heightPx) => {
  const view = coverView(stateCollege, town, { widthPx, heightPx });
  const [west, south, east, north] = seen(view, widthPx, heightPx);
  const slack = 1e-6;
  expect(west).toBeGreaterThanOrEqual(stateCollege[0] - slack);
  expect(south).toBeGreaterThanOrEqual(stateCollege[1] - slack);
  expect(east).toBeLessThanOrEqual(stateCollege[2] + slack);
  expect(north).toBeLessThanOrEqual(stateCollege[3] + slack);
  expect(town[0] > west && town[0] < east && town[1] > south && town[1] < north).toBe(true);
  // As much of the region as that allows, without its fading edge.
  expect(view.zoom - coveringZoom(stateCollege, widthPx, heightPx)).toBeLessThan(0.3);
});

test('a region of a few streets is not looked at closer than a town', () => {
  const few: Bounds = [-77.863, 40.793, -77.86, 40.796];
  expect(coverView(few, town, { widthPx: 1440, heightPx: 900 }).zoom).toBe(13.5);
});
