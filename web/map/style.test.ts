import { expect, test } from 'vitest';
import { ownStyle } from './style.ts';
import type { RegionMap } from './regions.ts';

const stateCollege: RegionMap = {
  tilesUrl: 'pmtiles://map.pmtiles',
  title: 'State College',
  bounds: [-77.9149, 40.7, -77.7437, 40.8585],
  mapBounds: [-77.9149, 40.6049, -77.6181, 40.8585],
  land: null,
  hasCoast: false,
};

test('the map fades at its own edge, over all that is drawn but names and what lies below them', () => {
  const { layers, sources } = ownStyle([stateCollege], 'en');
  const edgeAt = layers.findIndex(({ id }) => id === 'edge');
  const isName = layers.map(({ type }) => type === 'symbol');
  // Routes are drawn below the first name: one that leads beyond the map must not be covered.
  expect(isName.indexOf(true)).toBe(edgeAt + 1);
  expect(isName.slice(edgeAt + 1).every(Boolean)).toBe(true);
  const edge = sources['edge'];
  const data: unknown = edge?.type === 'geojson' ? edge.data : null;
  expect(JSON.stringify(data)).toContain('-77.6181');
});
