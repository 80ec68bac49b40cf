import type { RateLimit } from '#contract/define.ts';
import type { Clock } from '../clock.ts';
import { tooMany } from '../refusal.ts';
import type { SharedCounts } from './shared-counts.ts';
import type { Tries } from './tries.ts';

/** A call, as its limits count it. */
interface LimitedCall {
  path: string;
  limits: readonly RateLimit[];
  /** Null for a guest. */
  userId: string | null;
  /** The network the call comes from (`networkOf`). */
  address: string;
}

/**
 * Counts calls against the limits that their endpoints declare; both functions refuse with `rate.limited`.
 */
export interface RateLimits {
  /** The limits that are counted in the process: for itself, or with the others over Redis. */
  countInProcess: (call: LimitedCall) => void;
  /** The limits that are counted in the database (`RateLimit.countedAs`). */
  countInDatabase: (call: LimitedCall) => Promise<void>;
}

/** The count under a key: here, and by other processes as far as is known. */
interface Window {
  count: number;
  /** Of these, not yet reported to other processes. */
  untold: number;
  others: number;
  endsMs: number;
}

/**
 * How many keys are stored before those whose window is over are deleted; where more than half of them stay,
 * twice as many.
 */
const usualKeys = 10_000;
/** This part of a limit each process counts by itself before it tells the others. */
const toldFrom = 0.25;

/** @param shared null where each process counts by itself. */
export function createRateLimits(tries: Tries, clock: Clock, shared: SharedCounts | null = null): RateLimits {
  const windows = new Map<string, Window>();
  let mostKeys = usualKeys;

  function countHere(key: string, { most, withinSeconds }: RateLimit): void {
    const nowMs = clock.now().getTime();
    const open = windows.get(key);
    // A demo's clock may have been put back: no window is longer than itself.
    const isOver = open === undefined || open.endsMs <= nowMs || open.endsMs > nowMs + withinSeconds * 1000;
    const window = isOver ? { count: 0, untold: 0, others: 0, endsMs: nowMs + withinSeconds * 1000 } : open;
    window.count += 1;
    window.untold += 1;
    // Counts far from a limit are not reported.
    if (shared !== null && window.count >= most * toldFrom) {
      shared.add(key, { count: window.untold, windowMs: withinSeconds * 1000 }, ({ count, leftMs }) => {
        window.others = Math.max(0, count - window.count);
        window.endsMs = clock.now().getTime() + leftMs;
      });
      window.untold = 0;
    }
    if (isOver) {
      if (windows.size >= mostKeys) {
        for (const [each, { endsMs }] of windows) if (endsMs <= nowMs) windows.delete(each);
        mostKeys = Math.max(usualKeys, 2 * windows.size);
      }
      windows.set(key, window);
    }
    if (window.count + window.others > most)
      throw tooMany(Math.max(1, Math.ceil((window.endsMs - nowMs) / 1000)));
  }

  return {
    countInProcess(call) {
      for (const limit of call.limits)
        if (limit.countedAs === undefined) countHere(`${call.path} ${whoCounts(limit, call)}`, limit);
    },
    async countInDatabase(call) {
      for (const limit of call.limits)
        if (limit.countedAs !== undefined)
          await tries.count(`${limit.countedAs}:${whoCounts(limit, call)}`, limit);
    },
  };
}

const whoCounts = ({ per }: RateLimit, { userId, address }: LimitedCall): string =>
  per === 'network' ? address : (userId ?? address);
