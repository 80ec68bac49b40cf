import { expect, test } from 'vitest';
import type { Tags } from '../build/osm.ts';
import { blocksWalkers, isWalkable } from './walk-profile.ts';

test.each<[walkable: boolean, tags: Tags]>([
  [true, { highway: 'residential' }],
  [true, { highway: 'footway', footway: 'sidewalk' }],
  [true, { highway: 'steps' }],
  [true, { highway: 'cycleway' }],
  [true, { highway: 'bridleway' }],
  [true, { highway: 'service', access: 'customers' }],
  [true, { highway: 'primary', foot: 'use_sidepath' }],
  [true, { highway: 'path', access: 'private', foot: 'permissive' }],
  [true, { highway: 'trunk', sidewalk: 'right' }],
  [true, { highway: 'trunk_link', foot: 'designated' }],
  [false, { highway: 'trunk' }],
  [false, { highway: 'trunk', sidewalk: 'no' }],
  [false, { highway: 'motorway' }],
  [false, { highway: 'primary', motorroad: 'yes' }],
  [false, { highway: 'primary', foot: 'no' }],
  [false, { highway: 'cycleway', foot: 'no' }],
  [false, { highway: 'footway', access: 'private' }],
  [false, { highway: 'corridor' }],
  [false, { highway: 'construction' }],
  [false, { railway: 'rail' }],
  [false, {}],
])('whether people walk: %s on %j', (walkable, tags) => {
  expect(isWalkable(tags)).toBe(walkable);
});

test.each<[blocked: boolean, tags: Tags]>([
  [false, { barrier: 'bollard' }],
  [false, { barrier: 'gate' }],
  [false, { barrier: 'gate', access: 'private', foot: 'yes' }],
  [false, { barrier: 'wall', foot: 'yes' }],
  [false, { highway: 'crossing', access: 'no' }],
  [true, { barrier: 'gate', access: 'private' }],
  [true, { barrier: 'kissing_gate', foot: 'no' }],
  [true, { barrier: 'fence' }],
])('whether people are stopped: %s by %j', (blocked, tags) => {
  expect(blocksWalkers(tags)).toBe(blocked);
});
