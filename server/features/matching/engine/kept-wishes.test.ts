import { expect, test } from 'vitest';
import { createEstimateNetwork } from '#roads/graph/estimate.ts';
import { door, type Wish } from '../rules/wish.ts';
import { KeptWishes } from './kept-wishes.ts';
import { Places } from './places.ts';

const wish = (lon: number): Wish => ({
  seats: 1,
  pickups: [door({ lon, lat: 37 })],
  dropoffs: [door({ lon: lon + 0.1, lat: 37 })],
  walkMetres: 0,
  earliestMs: 0,
  latestMs: 3_600_000,
  arriveByMs: 7_200_000,
  preferences: 0,
});
const given = (lon: number) => ({ wish: wish(lon), offerCents: null });

test('a wish is given once, and known by its key from then on', () => {
  const kept = new KeptWishes(new Places(createEstimateNetwork(), null));
  expect(kept.take([{ key: 'a' }]).ids).toEqual([null]);
  const [id] = kept.take([{ key: 'a', given: given(-122) }]).ids;
  expect(id).not.toBeNull();
  const { index, ids } = kept.take([{ key: 'b', given: given(-121) }, { key: 'a' }, { key: 'c' }]);
  expect(ids[1]).toBe(id);
  expect(ids[0]).not.toBe(id);
  expect(ids[2]).toBeNull();
  expect(index.size).toBe(2);
});

test('one that is given again is computed once', () => {
  const kept = new KeptWishes(new Places(createEstimateNetwork(), null));
  const first = kept.take([
    { key: 'a', given: given(-122) },
    { key: 'a', given: given(-122) },
  ]);
  expect(first.ids[0]).toBe(first.ids[1]);
  expect(kept.take([{ key: 'a', given: given(-122) }]).index.size).toBe(1);
});

test('more than there is room for: the earlier ones are forgotten, those just given are known', () => {
  const kept = new KeptWishes(new Places(createEstimateNetwork(), null), 2);
  kept.take([
    { key: 'a', given: given(-122) },
    { key: 'b', given: given(-121) },
  ]);
  const { index, ids } = kept.take([{ key: 'c', given: given(-120) }, { key: 'a' }]);
  expect(ids).toEqual([expect.any(String), null]);
  expect(index.size).toBe(1);
});
