import { expect, test } from 'vitest';
import type { Tags } from './osm.ts';
import { blocksCars, drivableWay, drivesOnLeft, durationMs, postedKmh } from './profile.ts';

test.each([
  ['50', 50],
  ['30 mph', 48.28],
  ['30mph', 48.28],
  ['60 km/h', 60],
  ['80; 50', 80],
  ['DE:zone:30', 30],
  ['FR:zone30', 30],
  ['GB:zone20', 32.19],
  ['walk', 7],
  ['none', null],
  ['US:urban', null],
  ['0', null],
  [undefined, null],
])('maxspeed %s', (tag, kmh) => {
  const posted = postedKmh(tag);
  if (kmh === null) expect(posted).toBeNull();
  else expect(posted).toBeCloseTo(kmh, 2);
});

test.each([
  ['20', 20],
  ['0:20', 20],
  ['01:30:00', 90],
  ['PT1H5M', 65],
  ['daily', null],
  [undefined, null],
])('duration %s', (tag, minutes) => {
  expect(durationMs(tag)).toBe(minutes === null ? null : minutes * 60_000);
});

test.each([
  [{ highway: 'residential' }, true, true],
  [{ highway: 'residential', oneway: 'yes' }, true, false],
  [{ highway: 'residential', oneway: '-1' }, false, true],
  [{ highway: 'motorway' }, true, false],
  [{ highway: 'motorway', oneway: 'no' }, true, true],
  [{ highway: 'tertiary', junction: 'roundabout' }, true, false],
])('direction of %o', (tags, forward, backward) => {
  expect(drivableWay(tags)).toMatchObject({ forward, backward });
});

test.each<Tags>([
  { highway: 'footway' },
  { highway: 'track' },
  { highway: 'residential', access: 'private' },
  { highway: 'residential', access: 'yes', motor_vehicle: 'no' },
  { highway: 'residential', oneway: 'reversible' },
  { highway: 'service', service: 'emergency_access' },
  { highway: 'pedestrian', area: 'yes' },
])('no car on %o', (tags) => {
  expect(drivableWay(tags)).toBeNull();
});

test('the more specific access tag wins', () => {
  expect(drivableWay({ highway: 'residential', access: 'no', motor_vehicle: 'yes' })).not.toBeNull();
  expect(drivableWay({ highway: 'track', motor_vehicle: 'yes' })).not.toBeNull();
});

test('nobody is picked up on a motorway or a dual carriageway', () => {
  expect(drivableWay({ highway: 'motorway' })!.pickUp).toBe(false);
  expect(drivableWay({ highway: 'trunk_link' })!.pickUp).toBe(false);
  expect(drivableWay({ highway: 'trunk', oneway: 'yes' })!.pickUp).toBe(false);
  expect(drivableWay({ highway: 'primary' })!.pickUp).toBe(true);
});

test('barriers: gates open, bollards do not, access decides', () => {
  expect(blocksCars({ barrier: 'gate' })).toBe(false);
  expect(blocksCars({ barrier: 'bollard' })).toBe(true);
  expect(blocksCars({ barrier: 'gate', access: 'private' })).toBe(true);
  expect(blocksCars({ barrier: 'bollard', motor_vehicle: 'yes' })).toBe(false);
  expect(blocksCars({ highway: 'crossing' })).toBe(false);
});

test('which countries keep left', () => {
  expect(['GB', 'jp', 'IN', 'AU', 'ZA'].every(drivesOnLeft)).toBe(true);
  expect(['US', 'PT', 'CN', ''].some(drivesOnLeft)).toBe(false);
});
