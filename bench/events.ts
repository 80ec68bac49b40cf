import { setTimeout as sleep } from 'node:timers/promises';
import { inArray, sql } from 'drizzle-orm';
import type { BuiltApp } from '../server/app.ts';
import { databaseOf, openPoolBeside, type Db } from '../server/platform/database/db.ts';
import { notifications } from '../server/schema/notifications.ts';
import { inBenchApp, percentile, rounded, say } from './bench-app.ts';
import { bookPair, type Pair } from './events/pairs.ts';
import { asBench, countStatements, takeCount } from './events/statement-counter.ts';

const pairCount = 100;
/** Long enough for the listeners of the bookings before, and for cursors that are saved late. */
const settleMs = 1500;
const tickMs = 10;
const lookEveryMs = 40;
const catchUpWithinMs = 60_000;
const connections = 8;

/** Operations that had no notification at the last check, with the times of their commits. */
type Waiting = Map<string, number>;

/**
 * Writes the signals of `--rate` operations a second for `--seconds`: publish, publish, ask and accept in
 * turn, each a transaction of its own like that of the call, and measures from the commit of each ask and
 * accept until its notice can be read; its lines in the chat are of the same statement.
 */
export async function benchEvents(options: Record<string, string>): Promise<Record<string, unknown>> {
  const [rate, seconds] = [Number(options['rate'] ?? 500), Number(options['seconds'] ?? 60)];
  countStatements();
  return inBenchApp(async (app) => {
    const { outbox, log } = app.platform;
    await outbox.start(app.pool, log);
    say(`Booking ${pairCount} rides …`);
    const pairs: Pair[] = [];
    for (let index = 0; index < pairCount; index++) pairs.push(await bookPair(app, String(index)));
    await sleep(settleMs);
    say(`${rate} operations a second for ${seconds} seconds …`);
    const own = openPoolBeside(app.pool, { name: 'bench', max: connections }, () => undefined);
    try {
      const before = await written(databaseOf(own));
      takeCount();
      const run = await emitAtRate(app, { own: databaseOf(own), pairs, rate, seconds });
      const statements = takeCount();
      const after = await written(databaseOf(own));
      return {
        rate,
        seconds,
        events: run.events,
        perSecond: rounded(run.events / run.tookSeconds),
        p50Ms: rounded(percentile(run.latenciesMs, 0.5)),
        p99Ms: rounded(percentile(run.latenciesMs, 0.99)),
        maxMs: rounded(run.latenciesMs.reduce((most, ms) => Math.max(most, ms), 0)),
        statementsPerEvent: rounded(statements / run.events),
        behindAtEnd: run.behindAtEnd,
        missing: run.missing,
        doubledNotices: after.notices - before.notices - run.moves,
        doubledLines: after.lines - before.lines - run.lines,
      };
    } finally {
      await outbox.stop();
      await own.end();
    }
  });
}

interface Run {
  events: number;
  tookSeconds: number;
  /** Asks and accepts, and the lines that they write. */
  moves: number;
  lines: number;
  latenciesMs: readonly number[];
  behindAtEnd: number;
  missing: number;
}

async function emitAtRate(
  app: BuiltApp,
  { own, pairs, rate, seconds }: { own: Db; pairs: readonly Pair[]; rate: number; seconds: number },
): Promise<Run> {
  const waiting: Waiting = new Map();
  const latenciesMs: number[] = [];
  const counts = { events: 0, moves: 0, lines: 0 };
  const over = new AbortController();
  const watching = asBench(async () => {
    while (!over.signal.aborted) {
      await look(own, waiting, latenciesMs);
      await sleep(lookEveryMs);
    }
  });
  const beganMs = performance.now();
  const underWay = new Set<Promise<void>>();
  for (let place = 0; place < rate * seconds;) {
    const due = Math.min(rate * seconds, Math.ceil(((performance.now() - beganMs) / 1000) * rate));
    for (; place < due; place++) {
      const pair = pairs[(place >> 2) % pairs.length]!;
      const going = asBench(() => emitStep(app, own, pair, place % 4))
        .then(({ source, lines }) => {
          counts.events++;
          if (source === null) return;
          counts.moves++;
          counts.lines += lines;
          waiting.set(source, performance.now());
        })
        .finally(() => underWay.delete(going));
      underWay.add(going);
    }
    await sleep(tickMs);
  }
  await Promise.all(underWay);
  const tookSeconds = (performance.now() - beganMs) / 1000;
  await asBench(() => look(own, waiting, latenciesMs));
  const behindAtEnd = waiting.size;
  for (const endMs = performance.now() + catchUpWithinMs; waiting.size > 0 && performance.now() < endMs;)
    await sleep(lookEveryMs);
  over.abort();
  await watching;
  return { ...counts, tookSeconds, latenciesMs, behindAtEnd, missing: waiting.size };
}

/** The signals of one step of a booking; the source of the notice that follows, and how many lines do. */
async function emitStep(
  { platform: { outbox } }: BuiltApp,
  own: Db,
  pair: Pair,
  step: number,
): Promise<{ source: string | null; lines: number }> {
  const { driverId, passengerId, rideId, requestId, bookingId } = pair;
  const ride = { rideId, to: 'matching', driverId, actor: 'driver' as const };
  const request = { requestId, passengerId };
  if (step === 0) {
    await emit(own, (tx) => outbox.emit(tx, 'ride.moved', { ...ride, move: 'publish' }, rideId));
    return { source: null, lines: 0 };
  }
  if (step === 1) {
    const published = { ...request, move: 'publish', to: 'matching' };
    await emit(own, (tx) => outbox.emit(tx, 'request.moved', published, requestId));
    return { source: null, lines: 0 };
  }
  const version = ++pair.version;
  const [move, to, actor] =
    step === 2 ? (['ask', 'requesting', 'passenger'] as const) : (['accept', 'waiting', 'driver'] as const);
  const moved = { bookingId, rideId, requestId, driverId, passengerId, move, to, actor, version };
  const requestMoved = { ...request, move: step === 2 ? 'asked' : 'join', to };
  await emit(own, async (tx) => {
    await outbox.emit(tx, 'booking.moved', moved, rideId);
    await outbox.emit(tx, 'request.moved', requestMoved, requestId);
  });
  // An ask has its line in the thread, an accept in the thread and in the ride's room.
  return { source: `booking:${bookingId}:${version}:${move}`, lines: step === 2 ? 1 : 2 };
}

const emit = (own: Db, work: (tx: Db) => Promise<void>): Promise<void> => own.transaction(work);

/** Notes how long those took whose notice is there now. */
async function look(own: Db, waiting: Waiting, latenciesMs: number[]): Promise<void> {
  if (waiting.size === 0) return;
  const sources = [...waiting.keys()];
  const found = await own
    .select({ source: notifications.source })
    .from(notifications)
    .where(inArray(notifications.source, sources));
  const nowMs = performance.now();
  for (const { source } of found) {
    latenciesMs.push(nowMs - waiting.get(source)!);
    waiting.delete(source);
  }
}

async function written(own: Db): Promise<{ notices: number; lines: number }> {
  const { rows } = await asBench(() =>
    own.execute<{ notices: number; lines: number }>(sql`
      select (select count(*)::int from notifications) as notices,
        (select count(*)::int from chat_messages where kind = 'system') as lines`),
  );
  return rows[0]!;
}
