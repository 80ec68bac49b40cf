import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../../platform/clock.ts';
import { planAlone } from '../rules/plan.ts';
import { door } from '../rules/wish.ts';
import { ThreadEnded } from './client.ts';
import type { Ask, Change } from './engine.ts';
import { idAt } from './kept-wishes.ts';
import { startEngine, type EngineThreads } from './threads.ts';

const [from, to] = [
  { lon: -122, lat: 37 },
  { lon: -121.9, lat: 37 },
];
const plan = planAlone({
  from,
  to,
  drive: { milliseconds: 20 * minuteMs, metres: 9000 },
  preferences: 0,
  seats: 3,
  earliestDepartsMs: hourMs,
  latestDepartsMs: hourMs,
  trafficPermille: 1000,
  maxDetourMs: 30 * minuteMs,
});
const offer = { plan, priceKind: 'perPerson', costCents: 0, joinedSeats: 0 } as const;
const ask: Ask = {
  kind: 'requestsFor',
  ride: { ...offer, driverId: idAt(999) },
  asker: { nowMs: 0, hidden: [], most: 100, nearMisses: 0 },
};
const wish = {
  seats: 1,
  pickups: [door(from)],
  dropoffs: [door(to)],
  walkMetres: 0,
  earliestMs: 0,
  latestMs: 3 * hourMs,
  arriveByMs: 6 * hourMs,
  preferences: 0,
};
const request = (index: number): Change => ({
  kind: 'request',
  request: { id: idAt(index), passengerId: idAt(100 + index), isPublic: true, wish, offerCents: null },
});

let folder: string;
let engine: EngineThreads;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'sameway-threads-'));
  engine = await startEngine({ shared: null }, 3);
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

const idsOf = async (of: EngineThreads) => (await of.ask(ask)).answer.hits.map(({ id }) => id).toSorted();
const openOf = (of: EngineThreads) => of['threads'].map(({ waiting }) => waiting);

test('each thread answers on all changes before the question, and questions are spread', async () => {
  engine.take([request(1), request(2)]);
  const first = Array.from({ length: 6 }, () => idsOf(engine));
  expect(openOf(engine)).toEqual([2, 2, 2]);
  engine.take([{ kind: 'gone', id: idAt(1) }]);
  const then = Array.from({ length: 3 }, () => idsOf(engine));
  for (const ids of await Promise.all(first)) expect(ids).toEqual([idAt(1), idAt(2)]);
  for (const ids of await Promise.all(then)) expect(ids).toEqual([idAt(2)]);
  expect(await engine.census()).toMatchObject({ rides: 0, requests: 1 });
});

test('wishes that are judged again and again are kept by one thread', async () => {
  const judge = (given?: { wish: typeof wish; offerCents: null }) =>
    engine.judge({
      kind: 'ridePairs',
      nowMs: 0,
      ride: offer,
      wishes: [given === undefined ? { key: 'kept' } : { key: 'kept', given }],
    });
  expect(await judge()).toEqual(['unknown']);
  const [fit] = await judge({ wish, offerCents: null });
  expect(fit).toMatchObject({ choice: expect.anything() });
  for (const [verdict] of await Promise.all(Array.from({ length: 4 }, () => judge())))
    expect(verdict).toEqual(fit);
});

test('all threads of the next engine begin with the file', async () => {
  const place = { file: path.join(folder, 'orders.index'), database: 'of a test' };
  await engine.save(place, { seq: 7 });
  const next = await startEngine({ shared: null }, 2);
  expect(await next.load(place)).toEqual({ seq: 7 });
  for (const ids of await Promise.all([idsOf(next), idsOf(next)])) expect(ids).toEqual([idAt(2)]);
  await next.close();
  expect(await next.ended).toBeNull();
});

test('where one thread ends, the others end with it', async () => {
  await engine['threads'][1]!['worker'].terminate();
  expect(await engine.ended).toBeInstanceOf(Error);
  for (let question = 0; question < 3; question++)
    await expect(engine.ask(ask)).rejects.toBeInstanceOf(ThreadEnded);
});
