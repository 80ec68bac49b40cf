import { expect, test } from 'vitest';
import { nearPlaceMetres } from '#contract/rides/endpoints.ts';
import { greatCircleMetres } from '#roads/graph/geometry.ts';
import { metresBetween } from './metres-between.ts';

test('the phone and the server measure alike how far it is to a place', () => {
  const place = { lon: -122.0408, lat: 36.9689 };
  for (const at of [
    { lon: -122.0408, lat: 36.9702 },
    { lon: -122.0424, lat: 36.9689 },
    { lon: -121.9027, lat: 36.9772 },
  ])
    expect(Math.abs(metresBetween(place, at) - greatCircleMetres(place, at))).toBeLessThan(1);
  expect(metresBetween(place, { lon: -122.0408, lat: 36.9702 })).toBeLessThan(nearPlaceMetres);
});
