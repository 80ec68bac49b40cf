import { expect, test } from 'vitest';
import { randomFrom } from '../../server/testing/random.ts';
import { actions, drawDay, minutesPerDay, sizesOf, type CellDay } from './draw-day.ts';
import { loadOf, type Cost, type Costs } from './load.ts';

const nothing: Cost = { serverMs: 0, databaseMs: 0, walBytes: 0, rows: 0 };

const costsWith = (costs: Partial<Costs['actions']>): Costs => ({
  actions: {
    ...(Object.fromEntries(actions.map((action) => [action, nothing])) as Costs['actions']),
    ...costs,
  },
  socketBytes: 1000,
  offerBytes: 2000,
  questionMs: 3,
  rowBytes: 100,
});

const quietDay = (): CellDay => drawDay({ people: 0, cells: 1, crossing: 0, random: randomFrom(1) })[0]!;

const totalOf = (days: readonly CellDay[], action: (typeof actions)[number]): number =>
  days.reduce((sum, day) => sum + day.counts[action].reduce((all, count) => all + count, 0), 0);

test.each([
  { people: 1000, cells: 1 },
  { people: 1001, cells: 4 },
  { people: 3, cells: 8 },
])('the sizes of $cells cells add up to $people people, the largest first', ({ people, cells }) => {
  const sizes = sizesOf(people, cells);
  expect(sizes).toHaveLength(cells);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(people);
  expect(sizes.every((size, rank) => rank === 0 || size <= sizes[rank - 1]!)).toBe(true);
});

test('the same seed draws the same day', () => {
  const draw = () => drawDay({ people: 500, cells: 2, crossing: 0.1, random: randomFrom(7) });
  expect(draw()).toEqual(draw());
});

test('each booking is accepted once, driven once and arrives once, whatever the number of cells', () => {
  for (const cells of [1, 5]) {
    const days = drawDay({ people: 4000, cells, crossing: 0.2, random: randomFrom(3) });
    const accepted = totalOf(days, 'accept') + totalOf(days, 'accept, paid');
    expect(accepted).toBeGreaterThan(1000);
    expect(totalOf(days, 'arrive') + totalOf(days, 'arrive, paid')).toBe(accepted);
    expect(totalOf(days, 'reach, pick up, depart')).toBe(accepted);
  }
});

test('a trip that ends in another cell is published in both', () => {
  const draw = (crossing: number) => drawDay({ people: 4000, cells: 4, crossing, random: randomFrom(5) });
  const published = (crossing: number) => totalOf(draw(crossing), 'publish a ride');
  expect(published(1) / published(0)).toBeCloseTo(2, 1);
});

test('a part’s load is that of the minute in which it has most to do', () => {
  const day = quietDay();
  day.counts['ask'][480] = 120;
  day.counts['find matches'][1000] = 600;
  day.connected[481] = 50;
  day.openOffers[482] = 70;
  const load = loadOf(
    day,
    costsWith({
      ask: { serverMs: 10, databaseMs: 40, walBytes: 6000, rows: 5 },
      'find matches': { serverMs: 5, databaseMs: 1, walBytes: 0, rows: 0 },
    }),
  );
  expect(load.web).toEqual({ cores: 0.05, actionsPerSecond: 10, peakAt: '16:40' });
  expect(load.database).toMatchObject({ cores: 0.08, peakAt: '8:00', logMegabytesPerSecond: 0.012 });
  expect(load.matching).toEqual({
    questionsPerSecond: 10,
    cores: 0.03,
    openOffers: 70,
    gigabytes: 140_000 / 1e9,
  });
  expect(load.realtime).toMatchObject({ connections: 50, gigabytes: 50_000 / 1e9 });
  expect(load.storage).toEqual({
    rowsPerDay: 600,
    gigabytesPerDay: 60_000 / 1e9,
    logGigabytesPerDay: 720_000 / 1e9,
  });
});

test('nothing happens where there are no people', () => {
  const day = quietDay();
  expect(day.connected).toHaveLength(minutesPerDay);
  expect(loadOf(day, costsWith({})).web.cores).toBe(0);
});
