import { expect, test } from 'vitest';
import { evidenceLater, evidenceOf, wasThere } from './being-there.ts';

const place = { lon: -122, lat: 37 };
const near = { lon: -122, lat: 37.001 };
const far = { lon: -122, lat: 37.1 };
const now = new Date('2026-11-24T12:00:00Z');
const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

test.each([
  [{ at: near, reason: '' }, null, 'position'],
  [{ at: far, reason: '' }, null, 'nothing'],
  [{ reason: '' }, null, 'nothing'],
  [{ reason: 'parking' }, null, 'words'],
  [{ at: far, reason: 'gps is broken' }, null, 'contradicted'],
  // Leaving out the position does not strengthen the driver's word while the device has just sent one.
  [{ reason: 'gps is broken' }, { ...far, at: before(1) }, 'contradicted'],
  [{ reason: 'gps is broken' }, { ...far, at: before(10) }, 'contradicted'],
  [{ reason: 'gps is broken' }, { ...far, at: before(11) }, 'words'],
  [{ reason: 'parking' }, { ...near, at: before(1) }, 'position'],
  [{ reason: '' }, { ...near, at: before(1) }, 'nothing'],
] as const)('%j, last %j: %s', (told, last, by) => {
  expect(evidenceOf(place, told, { last, now }).by).toBe(by);
});

test.each([
  [null, null],
  [{ ...near, at: before(5) }, true],
  [{ ...far, at: before(5) }, false],
  [{ ...near, at: before(30) }, null],
] as const)('last %j: there %s', (last, isThere) => {
  expect(wasThere(place, last, now)).toBe(isThere);
});

test.each([
  ['words', null, 'words'],
  ['words', true, 'position'],
  ['words', false, 'contradicted'],
  ['position', false, 'contradicted'],
  ['contradicted', null, 'contradicted'],
  [null, null, 'words'],
] as const)('reached by %s, there now %s: %s', (reachedBy, isThere, evidence) => {
  expect(evidenceLater(reachedBy, isThere)).toBe(evidence);
});
