import type { Driver, Passenger, HistoryContext } from './history-context.ts';
import type { World } from './world.ts';

/** Numbers that decide what a step does; a step that cannot do what they say does something near. */
export interface Dice {
  kind: number;
  which: number;
  how: number;
  more: number;
}

/** Something that could be done now, in words and in deed. */
export interface Deed {
  /** The person who does it; null for admins, banks, the card provider and the clock. */
  who: string | null;
  words: string;
  act: () => Promise<unknown>;
  /** Nothing else is done meanwhile: its effect is compared with the state before. */
  isAlone?: boolean;
}

export type Find = (context: HistoryContext, world: World, dice: Dice) => Deed[];

/** A kind of step: how often it is taken where it can be, and what it could be now. */
export interface Move {
  weight: number;
  find: Find;
}

export const pick = <T>(list: readonly T[], dice: number): T => list[dice % list.length]!;

/** The name of a thing in the words of a history: R2 is its second ride. */
export function nameOf(world: World, id: string): string {
  for (const [letter, list] of [
    ['R', world.rides],
    ['Q', world.requests],
    ['B', world.bookings],
  ] as const) {
    const at = list.findIndex((each) => each.id === id);
    if (at !== -1) return `${letter}${at + 1}`;
  }
  return '?';
}

export const driverOf = ({ drivers }: HistoryContext, id: string): Driver =>
  drivers.find((each) => each.id === id)!;
export const passengerOf = ({ passengers }: HistoryContext, id: string): Passenger =>
  passengers.find((each) => each.id === id)!;

/** Both processes do what is due by the clock, at the same time, and all signals are delivered. */
export async function tick(context: HistoryContext): Promise<void> {
  await hear(context);
  await Promise.all(context.apps.map(({ scheduler }) => scheduler.tick()));
  await hear(context);
}

/** Delivers all signals. */
export const hear = ({ app }: HistoryContext): Promise<void> =>
  app.platform.outbox.deliverAll(app.pool, app.platform.log);
