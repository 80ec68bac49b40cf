import { expect, test } from 'vitest';
import { chosenPart, isPlaceField, knownPlace } from './place-fields.ts';

const place = (name: string) => ({ name, detail: '', lon: 0, lat: 0 });
const [home, pier, work, mall] = ['home', 'pier', 'work', 'mall'].map(place);
const plan = { from: home!, via: [pier!], to: null };

test.each([
  ['from', { from: mall }],
  ['to', { to: mall }],
  ['via0', { via: [mall] }],
  // The stop after the last is new.
  ['via1', { via: [pier, mall] }],
] as const)('a place chosen for %s', (field, part) => {
  expect(chosenPart(plan, field, mall!)).toEqual(part);
});

test('the search begins where the place is so far, else at an end that is known', () => {
  expect(knownPlace(plan, 'via0')).toBe(pier);
  expect(knownPlace(plan, 'to')).toBe(home);
  expect(knownPlace({ from: null, via: [], to: work! }, 'via0')).toBe(work);
  expect(knownPlace({ from: null, via: [], to: null }, 'from')).toBeNull();
});

test('an address can ask for a place of a plan, and for nothing else', () => {
  expect(['from', 'to', 'via0', 'via9', 'seats', undefined].filter(isPlaceField)).toEqual([
    'from',
    'to',
    'via0',
  ]);
});
