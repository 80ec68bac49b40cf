import { z } from 'zod';
import { dayMs, secondMs } from '../clock.ts';
import type { Platform } from '../platform.ts';
import type { ScheduledTask } from '../queue/scheduler.ts';
import type { Db } from './db.ts';
import { readSetting, writeSetting } from './settings.ts';

/**
 * The long half of a migration: what the rows that were there before a new column say in it. It is done while
 * people go on, page by page, and goes on where it was when a process ends.
 */
export interface Backfill {
  /** Its progress is kept under it: it never changes. */
  name: string;
  /**
   * Fills the next rows in the order of their keys.
   * @param after the last key of the page before; null at the beginning
   * @returns the last key of this page, null where there was none left; how many rows it filled
   */
  fillPage(tx: Db, after: string | null): Promise<{ last: string | null; filled: number }>;
}

const progress = z.object({
  after: z.string().nullable(),
  filled: z.number(),
  passes: z.number(),
  /** When the last pass came to its end. */
  passedAt: z.iso.datetime().nullable(),
});
type Progress = z.output<typeof progress>;

/**
 * A new row knows its own value, but for those that processes of the former release still write during the
 * upgrade: a second pass comes a day later.
 */
const passes = 2;
const betweenPassesMs = dayMs;
/** One round works so long and rests as long: then others have the database for themselves. */
const roundMs = 500;

const settingOf = ({ name }: Backfill): string => `backfill.${name}`;
const isOver = (at: Progress): boolean => at.passes >= passes;
/** Whether it waits for its next pass. */
const rests = ({ after, passedAt }: Progress, now: Date): boolean =>
  after === null && passedAt !== null && now.getTime() - Date.parse(passedAt) < betweenPassesMs;

/** How far a backfill has come; null where it has not begun. */
async function progressOf(db: Db, backfill: Backfill): Promise<Progress | null> {
  const kept = await readSetting(db, settingOf(backfill));
  return kept === undefined ? null : progress.parse(kept);
}

/** The task in which one process fills what is still to be filled, and the figures about it. */
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
  const ended = new Set<Backfill>();
  return {
    name: 'backfills',
    everyMs: secondMs,
    isApart: true,
    async run() {
      for (const each of backfills) {
        if (ended.has(each)) continue;
        const at = await fillForAWhile(each);
        if (isOver(at)) ended.add(each);
        if (isOver(at) || rests(at, clock.now())) continue;
        log.debug({ backfill: each.name, filled: at.filled }, 'earlier rows are filled');
        return;
      }
    },
  };

  async function fillForAWhile(backfill: Backfill): Promise<Progress> {
    const until = performance.now() + roundMs;
    let at: Progress;
    do at = await transact((tx) => fillNext(tx, backfill, clock.now()));
    while (!isOver(at) && !rests(at, clock.now()) && performance.now() < until);
    return at;
  }
}

/** A page and how far it leads, in one transaction: what is killed in between is done again. */
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
