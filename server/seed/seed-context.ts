import { createHash } from 'node:crypto';
import type { BuiltApp } from '../app.ts';
import type { MovableClock } from '../platform/clock.ts';
import type { Days } from './days.ts';
import type { Dice } from './seeded-random.ts';
import type { DriveMs } from './drive-times.ts';
import type { Diary } from './week-plan.ts';
import type { DemoPlaces } from './places.ts';

/** The basis of everything in the seed: the app, its clock that can be set back, and the people. */
export interface SeedContext {
  app: BuiltApp;
  clock: MovableClock;
  days: Days;
  dice: Dice;
  diary: Diary;
  /** Where the community lives and goes in this region. */
  places: DemoPlaces;
  driveMs: DriveMs;
  vehicleIds: ReadonlyMap<string, string>;
  /** Whether rides can have a price: each person has a card, and drivers an account. */
  isPaid: boolean;
  /** By owner and name: `mia:Work`. */
  tagIds: ReadonlyMap<string, string>;
  /** Lets listeners know what has happened so far, as at the clock's present time. */
  deliver(): Promise<void>;
}

/** An id that is the same in every seed, so that one that begins again writes the same files. */
export function stableId(name: string): string {
  const hex = createHash('sha256').update(`demo:${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const personId = (key: string): string => stableId(`person:${key}`);

/** Runs `work` with `atATime` items at once, in the order of the list. */
export async function several<T>(
  list: readonly T[],
  atATime: number,
  work: (each: T) => Promise<void>,
): Promise<void> {
  const left = list.values();
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const each of left) await work(each);
    }),
  );
}
