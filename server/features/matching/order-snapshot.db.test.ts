import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelOrder } from '#contract/rides/endpoints.ts';
import { ordersForMatching } from '../../app.ts';
import { minuteMs } from '../../platform/clock.ts';
import { requests } from '../../schema/rides.ts';
import { publishRequest, publishRide } from '../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { roadNetwork } from '../geo/region-roads.ts';
import { OrderIndex } from './order-index.ts';
import { wishOf } from './store.ts';

let app: TestApp;
let drivers: TestPerson[];
let folder: string;
let file: string;
/** Rides that indexes have read one after another from the beginning. */
let readAnew = 0;
const lines: string[] = [];

beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T15:00:00Z') });
  drivers = await Promise.all(['Ana', 'Ben', 'Cleo', 'Dan', 'Eva'].map((name) => app.person(name)));
  await publishRequest(app, await app.person('Pia'));
  folder = await mkdtemp(path.join(tmpdir(), 'sameway-index-'));
  file = path.join(folder, 'orders.index');
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const newIndex = (shared = roadNetwork(app.platform).shared) =>
  new OrderIndex({
    db: app.platform.db,
    kept: app.platform.kept,
    log: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
    orders: {
      ...ordersForMatching,
      openRidesAfter: (...args) => {
        readAnew++;
        return ordersForMatching.openRidesAfter(...args);
      },
    },
    roads: { shared },
    snapshot: { file, part: 'all', fewest: 1 },
  });

async function found(index: OrderIndex): Promise<string[]> {
  const [request] = await app.platform.db.select().from(requests);
  const asker = { nowMs: app.clock.now().getTime(), hidden: [], most: 100, nearMisses: 0 };
  const answer = await index.ask({ kind: 'ridesFor', wish: wishOf(request!), offerCents: null, asker });
  return answer.hits.map(({ id }) => id).toSorted();
}

/** The finds of an index that starts now, how often it has read all rides for it, and its log. */
async function started(shared = roadNetwork(app.platform).shared) {
  // Numbers the log.
  await app.deliver();
  readAnew = 0;
  lines.length = 0;
  const index = newIndex(shared);
  const ids = await found(index);
  const said = lines.filter((line) => line.includes('on disk'));
  return { index, ids, readAnew, said };
}

test('an index that is closed is kept, and the next one reads only what has changed since', async () => {
  const [first, second] = [await publishRide(app, drivers[0]!), await publishRide(app, drivers[1]!)];
  const before = await started();
  expect(before.readAnew).toBeGreaterThan(0);
  expect(before.ids).toEqual([first.id, second.id].toSorted());
  expect(before.index.keptAgeMs).toBeNull();
  await before.index.close();
  // While no index runs, one ride goes and another comes.
  await app.ok(drivers[0]!, cancelOrder, { id: first.id, reason: '' });
  const third = await publishRide(app, drivers[2]!);
  const after = await started();
  expect(after.ids).toEqual([second.id, third.id].toSorted());
  expect(after.readAnew).toBe(0);
  expect(after.said).toEqual([]);
  expect(after.index.keptAgeMs).toBeLessThan(minuteMs);
  await after.index.close();
});

test('a process that is killed while it writes leaves the file before, and no draft for long', async () => {
  const before = await started();
  const expected = before.ids;
  const following = (await before.index['following'])!;
  const kept = await readFile(file);
  const saving = before.index['save'](following);
  const { ended } = following.engine;
  await following.engine['threads'][0]['worker'].terminate();
  await Promise.all([saving, ended]);
  expect((await readFile(file)).equals(kept)).toBe(true);
  // As the killed process would have left it.
  const draft = `${file}.killed`;
  await writeFile(draft, kept.subarray(0, 1000));
  await utimes(draft, new Date(0), new Date(0));
  const after = await started();
  expect(after.ids).toEqual(expected);
  expect(after.readAnew).toBe(0);
  await after.index['save']((await after.index['following'])!);
  expect(await readdir(folder)).toEqual([path.basename(file)]);
  await after.index.close();
});

test('a damaged file, a shortened one and one of other roads are left aside with one line', async () => {
  const kept = await readFile(file);
  const damaged = Buffer.from(kept);
  damaged[kept.length - 100]! ^= 1;
  const expected = (await started()).ids;
  for (const bytes of [damaged, kept.subarray(0, 500), Buffer.from('SWINDEX\n')]) {
    await writeFile(file, bytes);
    const { index, ids, readAnew: reads, said } = await started();
    expect(ids).toEqual(expected);
    expect(reads).toBeGreaterThan(0);
    expect(said).toHaveLength(1);
    await index['following'];
    await index.close();
  }
  await writeFile(file, kept);
  const elsewhere = await started(null);
  expect(elsewhere.readAnew).toBeGreaterThan(0);
  expect(elsewhere.said).toHaveLength(1);
  await elsewhere.index.close();
});

test('an index after which rows of the log are dropped already is built anew', async () => {
  const { index, ids } = await started();
  const next = await publishRide(app, drivers[3]!);
  await index.close();
  await app.platform.db.execute(sql`delete from event_log where seq is not null`);
  const after = await started();
  expect(after.ids).toEqual([...ids, next.id].toSorted());
  expect(after.readAnew).toBeGreaterThan(0);
  expect(after.said).toHaveLength(1);
  await after.index.close();
});
