import { expect, test } from 'vitest';
import {
  noPreferences,
  preferenceNames,
  preferencesOf,
  type Preferences,
} from '#contract/rides/preferences.ts';
import { differsInQuiet, maskOf, suits, thingsAlong } from './preferences.ts';

const every: Preferences[] = Array.from({ length: 16 }, (_, bits) => ({
  pets: (bits & 1) > 0,
  luggage: (bits & 2) > 0,
  quiet: (bits & 4) > 0,
  women: (bits & 8) > 0,
}));

test('what comes along must be welcome, women are among themselves by both choices, quiet is a wish', () => {
  let together = 0;
  for (const ride of every) {
    for (const request of every) {
      const expected =
        (!request.pets || ride.pets) && (!request.luggage || ride.luggage) && ride.women === request.women;
      expect(suits(maskOf(ride), maskOf(request))).toBe(expected);
      expect(differsInQuiet(maskOf(ride), maskOf(request))).toBe(ride.quiet !== request.quiet);
      const { welcome, all } = thingsAlong(maskOf(ride), maskOf(request));
      if (ride.women === request.women) expect(welcome === all).toBe(expected);
      if (expected) together++;
    }
  }
  expect(together).toBe(72);
});

test('each has a bit of its own, and a query names them', () => {
  const masks = preferenceNames.map((name) => maskOf({ ...noPreferences, [name]: true }));
  expect(new Set(masks).size).toBe(preferenceNames.length);
  expect(preferencesOf('pets,women')).toEqual({ ...noPreferences, pets: true, women: true });
  expect(preferencesOf('')).toEqual(noPreferences);
});
