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
}

export type Find = (context: HistoryContext, world: World, dice: Dice) => Deed[];

/** A kind of step: how often it is taken where it can be, and what it could be now. */
export interface Move {
  weight: number;
  find: Find;
}

export const pick = <T>(list: readonly T[], dice: number): T => list[dice % list.length]!;

/** What a thing is called in the words of a history: R2 is its second ride. */
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

/** The app's clock does what is due, and what was told is heard. */
export async function tick({ app }: HistoryContext): Promise<void> {
  await app.platform.outbox.deliverAll(app.pool, app.platform.log);
  await app.scheduler.tick();
  await app.platform.outbox.deliverAll(app.pool, app.platform.log);
}
