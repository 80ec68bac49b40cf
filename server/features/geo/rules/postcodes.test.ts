import { expect, test } from 'vitest';
import { PostcodeCollector } from './postcodes.ts';

const address = (postcode: string | undefined, lon: number, town = 'Santa Cruz') =>
  ({ kind: 'address', postcode, town, lon, lat: 37 }) as const;

test('a postcode lies where most of its addresses are, in the town that most of them name', () => {
  const collector = new PostcodeCollector();
  for (const lon of [-122.0, -122.01, -122.02]) collector.add(address('95060', lon));
  collector.add(address('95060', -122.5, 'Felton'));
  expect(collector.found()).toEqual([{ postcode: '95060', town: 'Santa Cruz', lon: -122.02, lat: 37 }]);
});

test('fewer than three addresses make none, nor do places without one', () => {
  const collector = new PostcodeCollector();
  for (const lon of [-122.0, -122.01]) collector.add(address('95061', lon));
  for (const lon of [-122.0, -122.01, -122.02]) {
    collector.add(address(undefined, lon));
    collector.add({ ...address('95062', lon), kind: 'place' });
  }
  expect(collector.found()).toEqual([]);
});
