import { z } from 'zod';
import { dayMs, secondMs } from '../clock.ts';
import type { Platform } from '../platform.ts';
import type { ScheduledTask } from '../queue/scheduler.ts';
import { timeLimit } from '../queue/time-limit.ts';
import type { Db } from './db.ts';
import { readSetting, writeSetting } from './settings.ts';

/**
 * A backfill fills a new column in the rows that existed before the migration. It runs page by page while
 * people use the app, and resumes where it was if a process ends.
 */
export interface Backfill {
  /** The key of its progress: never change it. */
  name: string;
  /**
   * Fills the next rows, ordered by key.
   * @param after the last key of the page before; null at the beginning
   * @returns the last key of this page, null if there was none left; how many rows it filled
   */
  fillPage(tx: Db, after: string | null): Promise<{ last: string | null; filled: number }>;
}

const progress = z.object({
  after: z.string().nullable(),
  filled: z.number(),
  passes: z.number(),
  /** When the last pass ended. */
  passedAt: z.iso.datetime().nullable(),
});
type Progress = z.output<typeof progress>;

/**
 * New rows have their value, except those that processes of the former release still write during the
 * upgrade: a second pass, a day later, fills these.
 */
const passes = 2;
const betweenPassesMs = dayMs;
/** A round begins no page after this time and then pauses, so that others can use the database. */
const roundMs = 100;

const settingOf = ({ name }: Backfill): string => `backfill.${name}`;
const isOver = (at: Progress): boolean => at.passes >= passes;
/** Whether it waits for its next pass. */
const rests = ({ after, passedAt }: Progress, now: Date): boolean =>
  after === null && passedAt !== null && now.getTime() - Date.parse(passedAt) < betweenPassesMs;

/** The progress of a backfill; null if it has not begun. */
async function progressOf(db: Db, backfill: Backfill): Promise<Progress | null> {
  const kept = await readSetting(db, settingOf(backfill));
  return kept === undefined ? null : progress.parse(kept);
}

/** The task in which one process runs the backfills, and their metrics. */
export function scheduleBackfills(
  { db, transact, clock, log, metrics }: Pick<Platform, 'db' | 'transact' | 'clock' | 'log' | 'metrics'>,
  backfills: readonly Backfill[],
): ScheduledTask {
  metrics.addGauge({
    name: 'sameway_backfill_rows',
    help: 'Rows that a migration has filled in the background, and whether it has come to its end.',
    labels: ['name', 'state'],
    async read() {
      const all = await Promise.all(
        backfills.map(async (each) => [each.name, await progressOf(db, each)] as const),
      );
      return all.flatMap(([name, at]) =>
        at === null ? [] : [{ labels: { name, state: isOver(at) ? 'ended' : 'running' }, value: at.filled }],
      );
    },
  });
  /** Where each was when it had nothing to do: until its next pass it is not read again. */
  const idle = new Map<Backfill, Progress>();
  const hasNothingToDo = (at: Progress) => isOver(at) || rests(at, clock.now());
  return {
    name: 'backfills',
    everyMs: secondMs,
    isApart: true,
    async run() {
      for (const each of backfills) {
        const before = idle.get(each);
        if (before !== undefined && hasNothingToDo(before)) continue;
        const at = await fillForAWhile(each);
        idle.set(each, at);
        if (hasNothingToDo(at)) continue;
        log.debug({ backfill: each.name, filled: at.filled }, 'earlier rows are filled');
        return;
      }
    },
  };

  async function fillForAWhile(backfill: Backfill): Promise<Progress> {
    const isOver = timeLimit(roundMs);
    let at: Progress;
    do at = await transact((tx) => fillNext(tx, backfill, clock.now()));
    while (!hasNothingToDo(at) && !isOver());
    return at;
  }
}

/** Fills a page and saves the progress in one transaction: work that was killed in between is repeated. */
async function fillNext(tx: Db, backfill: Backfill, now: Date): Promise<Progress> {
  const before = (await progressOf(tx, backfill)) ?? { after: null, filled: 0, passes: 0, passedAt: null };
  if (isOver(before) || rests(before, now)) return before;
  const { last, filled } = await backfill.fillPage(tx, before.after);
  const isPassed = last === null;
  const at: Progress = {
    after: last,
    filled: before.filled + filled,
    passes: before.passes + (isPassed ? 1 : 0),
    passedAt: isPassed ? now.toISOString() : before.passedAt,
  };
  await writeSetting(tx, settingOf(backfill), at);
  return at;
}
