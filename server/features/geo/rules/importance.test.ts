import { expect, test } from 'vitest';
import type { Place } from '#roads/places/places.ts';
import { importanceOf } from './importance.ts';

const place = (name: string, category: string, importance = 0.3): Place => ({
  id: name,
  kind: 'place',
  name,
  category,
  lon: 0,
  lat: 0,
  importance,
});

test.each([
  ['a substation', place('Capitola Substation', 'substation'), 0.15],
  ['a substation that is mapped as a mere building', place('Capitola Substation', 'building'), 0.15],
  ['a dormitory', place('Casa Cuarta', 'dormitory'), 0.15],
  ['one of many buildings', place('Building A', 'building'), 0.15],
  ['a mall that is mapped as a mere building', place('Capitola Mall', 'building'), 0.4],
  ['a post office that is mapped as a mere building', place('Scotts Valley Post Office', 'building'), 0.4],
  ['the garage of a hospital', place('Hospital Garage', 'building'), 0.15],
  ['what the pack holds important', place('Dominican Hospital', 'hospital', 0.6), 0.6],
  ['any other building', place('Cooper House', 'building'), 0.15],
  ['a shop', place('Trader', 'supermarket', 0.45), 0.45],
])('%s', (_, of, importance) => {
  expect(importanceOf(of)).toBe(importance);
});

test('towns and streets keep the importance of their pack', () => {
  expect(importanceOf({ ...place('Barn', ''), kind: 'street', importance: 0.2 })).toBe(0.2);
});
