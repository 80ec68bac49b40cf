import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { runNamed, type Db, type NamedStatement } from '../../platform/database/db.ts';
import type { KeptStatements } from '../../platform/database/kept-statements.ts';
import { dayMs, minuteMs } from '../../platform/clock.ts';
import { endOfLog, hasLogAfter, numbering, rowsPerRead } from '../../platform/events/event-log.ts';
import type { Log } from '../../platform/observability/log.ts';
import { ThreadEnded } from './engine/client.ts';
import type { Ask, Census, EngineRoads, PairAsk } from './engine/engine.ts';
import type { Answer, PairVerdict } from './engine/entries.ts';
import { startEngine, type EngineThreads } from './engine/threads.ts';
import { gettingReady, soonMs, type SearchIndex } from './search-index.ts';
import * as store from './store.ts';
import type { MatchingPorts } from './ports.ts';

/** The log goes back for days; an index that has not read it for this long reads all orders again. */
const longestGapMs = dayMs;
/** How often a process reads the log without a question. */
const pollEveryMs = 5_000;
/** Signals that come sooner after a wake share the next one: a question catches up by itself anyway. */
const wakeEveryMs = 250;
/** How often an index is written to disk. */
const saveEveryMs = 10 * minuteMs;
/** An index of fewer orders is read from the database as fast. */
const fewestSaved = 2_000;
/** Rows per read of a full load, and how many may be in flight to its threads. */
const rowsAtOnce = 500;
const rowsOnTheWay = 5_000;

/** Where an index is stored, and which part of the orders it holds. */
interface SnapshotOptions {
  file: string;
  part: string;
  /** How many orders are worth a file. */
  fewest?: number;
}

/** An index, and its cursor in the event log. */
interface Following {
  engine: EngineThreads;
  /** The number up to which it has read the log. */
  seq: number;
  /** Rows of the log that it has read before they had a number. */
  seen: readonly number[];
  /** The database's timeline in which the number was given. */
  timeline: string;
  polledAtMs: number;
  /** Whether it has changed since it was last written to disk. */
  isDirty: boolean;
}

/**
 * The index of all open orders, in sync with the database, the source of truth: every question first
 * reads what the event log says of orders since, so it sees its caller's own writes, from any process. The
 * engine starts on first use; if it ends, or the log does not go back so far, everything is read again.
 */
export class OrderIndex implements SearchIndex {
  private readonly db: Db;
  private readonly kept: Pick<KeptStatements, 'read'>;
  private readonly log: Log;
  private readonly orders: MatchingPorts;
  /** The statement of a poll. */
  private readonly polling: NamedStatement;
  private readonly roads: EngineRoads;
  private readonly threads: number;
  private readonly snapshot: Required<SnapshotOptions> | null;
  private readonly onSearch: (kind: Ask['kind'], tookMs: number) => void;
  private saving: Promise<void> | null = null;
  private savedAtMs = Date.now();
  private following: Promise<Following> | null = null;
  private catching: Promise<void> | null = null;
  private next: Promise<void> | null = null;
  private looking: NodeJS.Timeout | null = null;
  private waking: NodeJS.Timeout | null = null;
  private wokenAtMs = -Infinity;
  private warming: Promise<void> | null = null;
  private isClosed = false;
  /** The one that has caught up and answers. */
  private answering: EngineThreads | null = null;
  /** When the file that the next start reads was written. */
  private keptAtMs: number | null = null;

  /**
   * @param of.threads how many answer questions; each has all orders
   * @param of.snapshot where the index is stored between starts; without one it is always read from the
   *   database.
   * @param of.onSearch called with the time that each search took in its thread.
   */
  constructor(of: {
    db: Db;
    kept: Pick<KeptStatements, 'read'>;
    log: Log;
    orders: MatchingPorts;
    roads: EngineRoads;
    threads?: number;
    snapshot?: SnapshotOptions;
    onSearch?: (kind: Ask['kind'], tookMs: number) => void;
  }) {
    this.db = of.db;
    this.kept = of.kept;
    this.log = of.log;
    this.orders = of.orders;
    this.polling = store.pollOf(of.orders);
    this.roads = of.roads;
    this.onSearch = of.onSearch ?? (() => {});
    this.threads = of.threads ?? 1;
    this.snapshot = of.snapshot === undefined ? null : { fewest: fewestSaved, ...of.snapshot };
  }

  async ask(ask: Ask): Promise<Answer> {
    const [answer] = await this.askInTurn([ask]);
    return answer!;
  }

  askInTurn(asks: readonly Ask[]): Promise<Answer[]> {
    return this.twice(async () => {
      await this.catchUp();
      const answers: Answer[] = [];
      for (const ask of asks) {
        const { answer, tookMs } = await (await this.started()).engine.ask(ask);
        this.onSearch(ask.kind, tookMs);
        answers.push(answer);
      }
      return answers;
    });
  }

  judge(ask: PairAsk): Promise<PairVerdict[]> {
    return this.twice(async () => (await this.started()).engine.judge(ask));
  }

  /** Retries once with a new engine, where the first one ended meanwhile. */
  private async twice<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ThreadEnded) || this.isClosed) throw error;
      return work();
    }
  }

  /** Catches up soon, on a signal, before the next question. Does nothing until the index is in use. */
  wake(): void {
    if (this.following === null || this.isClosed || this.waking !== null) return;
    const catchUp = () => {
      this.waking = null;
      if (this.isClosed) return;
      this.wokenAtMs = performance.now();
      this.catchUp().catch((error: unknown) => this.log.warn({ err: error }, 'the index could not catch up'));
    };
    const restMs = this.wokenAtMs + wakeEveryMs - performance.now();
    if (restMs <= 0) catchUp();
    else this.waking = setTimeout(catchUp, restMs).unref();
  }

  /** Starts the index before the first question; `isReady` is false until every open order has been read. */
  async warm(): Promise<void> {
    const warming = this.catchUp();
    this.warming = warming;
    try {
      await warming;
    } finally {
      this.warming = null;
    }
  }

  get isReady(): boolean {
    return this.warming === null;
  }

  /** Its contents, for monitoring; null until it answers. The question waits for those before it. */
  async census(): Promise<Census | null> {
    return (await this.answering?.census()) ?? null;
  }

  /** How many questions its threads have not answered yet. */
  get waiting(): number {
    return this.answering?.waiting ?? 0;
  }

  /** How long ago the file that the next start reads was written; null where there is none. */
  get keptAgeMs(): number | null {
    return this.keptAtMs === null ? null : Math.max(0, Date.now() - this.keptAtMs);
  }

  async soon(): Promise<void> {
    if (this.warming === null) return;
    const ready = this.warming.then(
      () => true,
      () => true,
    );
    if (await Promise.race([ready, sleep(soonMs, false, { ref: false })])) return;
    throw gettingReady();
  }

  /** Reads everything into a second index, which then replaces the first; questions go on meanwhile. */
  async rebuild(): Promise<void> {
    const before = this.following;
    const anew = this.beginAnew();
    await anew;
    this.following = anew;
    await (await before)?.engine.close();
    await this.catchUp();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.looking !== null) clearInterval(this.looking);
    if (this.waking !== null) clearTimeout(this.waking);
    await this.next?.catch(() => undefined);
    await this.catching?.catch(() => undefined);
    const following = await this.following?.catch(() => null);
    if (following?.isDirty === true) await this.save(following);
    await this.saving;
    await following?.engine.close();
  }

  /**
   * Writes the index to disk, so that the next start reads only what changes from now on. A failure is logged
   * and costs that start its time.
   */
  private save(following: Following): Promise<void> {
    this.saving ??= this.write(following).finally(() => (this.saving = null));
    return this.saving;
  }

  private async write(following: Following): Promise<void> {
    if (this.snapshot === null) return;
    const { file, part, fewest } = this.snapshot;
    const { engine, seq, timeline } = following;
    this.savedAtMs = Date.now();
    try {
      const { rides, requests } = await engine.census();
      const database = await store.databaseIdentity(this.db);
      if (rides + requests < fewest || database === null) return;
      following.isDirty = false;
      // Changes that arrive meanwhile are newer than the position: they are read once more.
      await engine.save({ file, database: `${database} ${timeline} ${part}` }, { seq });
      this.keptAtMs = this.savedAtMs;
    } catch (error) {
      if (!(error instanceof ThreadEnded)) this.log.warn({ err: error }, 'the index was not kept on disk');
    }
  }

  /** An engine filled from disk, with all changes since then still stored; null without such a file. */
  private async beginKept(): Promise<Following | null> {
    if (this.snapshot === null || !existsSync(this.snapshot.file)) return null;
    const { file, part } = this.snapshot;
    const polledAtMs = Date.now();
    // After a failover or a restore a number of before may mean another row: all is read.
    const { timeline } = await endOfLog(this.db);
    const database = await store.databaseIdentity(this.db);
    if (database === null) return null;
    const engine = await this.startEngine();
    try {
      const kept = await engine.load({ file, database: `${database} ${timeline} ${part}` });
      if (kept !== null && (await hasLogAfter(this.db, kept.seq))) {
        this.keptAtMs = (await stat(file)).mtimeMs;
        return { engine, seq: kept.seq, timeline, seen: [], polledAtMs, isDirty: false };
      }
      this.log.info({ file }, 'the index on disk is damaged, too old or of other roads: it is built anew');
    } catch (error) {
      this.log.warn({ err: error, file }, 'the index on disk cannot be read: it is built anew');
    }
    await engine.close();
    return null;
  }

  private started(): Promise<Following> {
    if (this.isClosed) throw new ThreadEnded('the index is closed');
    if (this.following === null) {
      const following = this.begin();
      this.following = following;
      following.catch(() => {
        if (this.following === following) this.following = null;
      });
      this.looking ??= setInterval(() => this.wake(), pollEveryMs).unref();
    }
    return this.following;
  }

  /** One catch-up runs at a time; callers that come during it share the next one. */
  private async catchUp(): Promise<void> {
    if (this.catching !== null) {
      this.next ??= this.catching
        .catch(() => undefined)
        .then(() => {
          this.next = null;
          return this.catchUp();
        });
      return this.next;
    }
    const poll = this.poll();
    this.catching = poll;
    try {
      await poll;
    } finally {
      this.catching = null;
    }
  }

  private async poll(): Promise<void> {
    let following = await this.started();
    let written = await this.readLog(following);
    if (Date.now() - following.polledAtMs > longestGapMs || written.timeline !== following.timeline) {
      this.log.info('the index has missed too much, or the database is another one: it is built anew');
      this.following = null;
      await following.engine.close();
      following = await this.started();
      written = await this.readLog(following);
    }
    const polledAtMs = Date.now();
    const { orderIds, open } = written;
    if (orderIds.length > 0) following.isDirty = true;
    if (open !== null) following.engine.take(store.changesIn(this.orders, orderIds, open));
    else
      for (let from = 0; from < orderIds.length; from += rowsAtOnce)
        following.engine.take(
          await store.changesOf(this.db, this.orders, orderIds.slice(from, from + rowsAtOnce)),
        );
    following.seq = Number(written.seq ?? following.seq);
    following.seen = written.unnumbered;
    following.polledAtMs = polledAtMs;
    this.answering = following.engine;
    // Where no process numbers the log, each question would read all that waits for a number.
    if (written.unnumbered.length >= rowsPerRead) await runNamed(this.db, numbering);
    if (following.isDirty && polledAtMs - this.savedAtMs > saveEveryMs) void this.save(following);
  }

  private readLog({ seq, seen }: Following): Promise<store.WrittenOrders> {
    return store.writtenOrders(this.kept, this.polling, { seq, seen, most: rowsAtOnce });
  }

  private async begin(): Promise<Following> {
    return (await this.beginKept()) ?? this.beginAnew();
  }

  private async startEngine(): Promise<EngineThreads> {
    const engine = await startEngine(this.roads, this.threads);
    void engine.ended.then(async (error) => {
      if (error === null) return;
      this.log.error({ err: error }, 'the index ended; it is built anew when it is needed');
      if (this.answering === engine) this.answering = null;
      const current = await this.following?.catch(() => null);
      if (current?.engine === engine) this.following = null;
    });
    return engine;
  }

  private async beginAnew(): Promise<Following> {
    const polledAtMs = Date.now();
    // What is committed during the load is read again afterwards.
    const { seq, timeline } = await endOfLog(this.db);
    const engine = await this.startEngine();
    try {
      let onTheWay = 0;
      for await (const changes of store.allOpenOrders(this.db, this.orders, rowsAtOnce)) {
        engine.take(changes);
        onTheWay += changes.length;
        if (onTheWay < rowsOnTheWay) continue;
        await engine.census();
        onTheWay = 0;
      }
    } catch (error) {
      await engine.close();
      throw error;
    }
    return { engine, seq, timeline, seen: [], polledAtMs, isDirty: true };
  }
}
