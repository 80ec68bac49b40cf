import { hourMs, later } from '../../../platform/clock.ts';

/** What two people have said, and what the day itself has shown, of a ride that the server did not see. */
export interface Said {
  /** Null: has not answered. */
  driver: boolean | null;
  passenger: boolean | null;
  /** Both had confirmed that the passenger was on board before the server was away. */
  wasAboard: boolean;
}

export type Outcome = 'happened' | 'notHappened' | 'contested';

const answerHours = 48;
/** So long an admin has at least, between the last answer and the end of the hold. */
const decideHours = 24;

/** What follows from the answers: what both say; where they differ, or one is silent, an admin decides. */
export function outcomeOf({ driver, passenger, wasAboard }: Said): Outcome {
  const [byDriver, byPassenger] = wasAboard ? [driver ?? true, passenger ?? true] : [driver, passenger];
  if (byDriver === true && byPassenger === true) return 'happened';
  if (byDriver === false && byPassenger === false) return 'notHappened';
  return 'contested';
}

/**
 * Until when both are asked: two days, or as much earlier as an admin needs before the hold on the card must
 * be used.
 */
export function answerByAt(now: Date, decideBy: Date | null): Date {
  const usual = later(now, answerHours * hourMs);
  if (decideBy === null) return usual;
  const latest = later(decideBy, -decideHours * hourMs);
  if (latest >= usual) return usual;
  return latest > now ? latest : decideBy > now ? decideBy : now;
}
