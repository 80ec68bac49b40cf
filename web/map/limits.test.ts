import { describe, expect, test } from 'vitest';
import { coverView } from './cover.ts';
import { farthestZoom, fitCamera, limitsAround, viewOf, type ViewWindow } from './limits.ts';
import { latOf, xOf, yOf } from './mercator.ts';
import type { Bounds, LonLat } from './shapes.ts';

const stateCollege: Bounds = [-77.9149, 40.7, -77.7437, 40.8585];
const town: LonLat = [-77.8616, 40.7945];
const windows: [string, ViewWindow][] = [
  ['a phone above its sheet', { widthPx: 390, heightPx: 400 }],
  ['a phone without a sheet', { widthPx: 390, heightPx: 844 }],
  ['a phone on its side, beside its pane', { widthPx: 404, heightPx: 390 }],
  ['a tablet above its sheet', { widthPx: 820, heightPx: 560 }],
  ['a desktop', { widthPx: 915, heightPx: 900 }],
];
const regions: [string, Bounds][] = [
  ['a town', stateCollege],
  ['a country from north to south', [-75.7, -55.9, -66.4, -17.5]],
  ['an island from east to west', [-85, 19.8, -74.1, 23.3]],
  ['a country with its extract’s edge', [9.47, 47.05, 9.64, 47.27]],
];

/** East to west and north to south, in the map's own measure. */
const sides = ([west, south, east, north]: Bounds): [number, number] => [
  xOf(east) - xOf(west),
  yOf(south) - yOf(north),
];
const holds = (outer: Bounds, inner: Bounds): boolean => {
  const slack = 1e-9;
  return (
    inner[0] >= outer[0] - slack &&
    inner[1] >= outer[1] - slack &&
    inner[2] <= outer[2] + slack &&
    inner[3] <= outer[3] + slack
  );
};

describe.each(regions)('around %s', (_, region) => {
  const middle: LonLat = [(region[0] + region[2]) / 2, latOf((yOf(region[1]) + yOf(region[3])) / 2)];

  test.each(windows)('the farthest view on %s is filled by the region', (_name, window) => {
    const first = coverView(region, middle, {
      widthPx: window.widthPx,
      abovePx: window.heightPx / 2,
      belowPx: window.heightPx / 2,
    });
    const limits = limitsAround(region, viewOf(first, window));
    const zoom = farthestZoom(limits, window);
    const [wide, high] = sides(limits);
    const [seenWide, seenHigh] = sides(viewOf({ center: middle, zoom }, window));
    expect(seenWide).toBeLessThanOrEqual(wide + 1e-12);
    expect(seenHigh).toBeLessThanOrEqual(high + 1e-12);
    const [regionWide, regionHigh] = sides(region);
    expect(Math.max(regionWide / seenWide, regionHigh / seenHigh)).toBeGreaterThan(0.95);
    expect(zoom).toBeLessThanOrEqual(first.zoom);
    expect(holds(limits, region)).toBe(true);
  });
});

test('a region of a few streets is seen with its neighborhood', () => {
  const few: Bounds = [-77.863, 40.793, -77.86, 40.796];
  const window = { widthPx: 915, heightPx: 900 };
  const first = viewOf(coverView(few, town, { widthPx: 915, abovePx: 450, belowPx: 450 }), window);
  expect(holds(limitsAround(few, first), first)).toBe(true);
});

describe.each(windows)('on %s', (_, window) => {
  const padding = { top: 70, right: 56, bottom: 56, left: 56 };

  test.each<[string, Bounds]>([
    ['to the edge of the region', [-77.8616, 40.7945, -77.8, 40.8585]],
    ['into its corner', [-77.9149, 40.7, -77.86, 40.79]],
    ['to an airport far beyond', [-80.25, 40.49, -77.86, 40.8]],
    ['across the continent', [-122.03, 36.97, -77.86, 40.8]],
  ])('a way %s is wholly to be seen', (_name, way) => {
    const camera = fitCamera(way, { window, padding, maxZoom: 15.5 })!;
    const view = viewOf(camera, window);
    expect(holds(view, way)).toBe(true);
    expect(holds(limitsAround(stateCollege, view), view)).toBe(true);
    // Nor does it stand closer than its edges ask for.
    const px = 512 * 2 ** camera.zoom;
    expect((xOf(way[0]) - xOf(view[0])) * px).toBeGreaterThan(padding.left - 0.01);
    expect((yOf(way[3]) - yOf(view[3])) * px).toBeGreaterThan(padding.top - 0.01);
  });

  test('a single place is looked at no closer than asked for', () => {
    const camera = fitCamera([...town, ...town], { window, padding, maxZoom: 14 })!;
    expect(camera.zoom).toBe(14);
    expect(camera.center[0]).toBeCloseTo(town[0], 9);
  });
});

test('nothing can be looked at in a window that a sheet covers', () => {
  const padding = { top: 116, right: 56, bottom: 56, left: 56 };
  expect(
    fitCamera(stateCollege, { window: { widthPx: 390, heightPx: 150 }, padding, maxZoom: 15 }),
  ).toBeNull();
});
