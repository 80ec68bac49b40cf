import { hourMs, later } from '../../../platform/clock.ts';

/** Both sides' answers, and the recorded facts, about a ride whose outcome is unclear. */
export interface Said {
  /** Null: not answered. */
  driver: boolean | null;
  passenger: boolean | null;
  /** Both had confirmed that the passenger was on board. */
  wasAboard: boolean;
}

export type Outcome = 'happened' | 'notHappened' | 'contested';

const answerHours = 48;
/** The least time an admin has between the last answer and the end of the authorization, in hours. */
const decideHours = 24;

/** The outcome of the answers: what both say; where they differ, or one is missing, an admin decides. */
export function outcomeOf({ driver, passenger, wasAboard }: Said): Outcome {
  const [byDriver, byPassenger] = wasAboard ? [driver ?? true, passenger ?? true] : [driver, passenger];
  if (byDriver === true && byPassenger === true) return 'happened';
  if (byDriver === false && byPassenger === false) return 'notHappened';
  return 'contested';
}

/**
 * The deadline of the answers: two days, or earlier so that an admin can decide before the authorization
 * expires.
 */
export function answerByAt(now: Date, decideBy: Date | null): Date {
  const usual = later(now, answerHours * hourMs);
  if (decideBy === null) return usual;
  const latest = later(decideBy, -decideHours * hourMs);
  if (latest >= usual) return usual;
  return latest > now ? latest : decideBy > now ? decideBy : now;
}
