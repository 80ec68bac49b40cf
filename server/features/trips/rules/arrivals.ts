/** A stop that the car has not left yet. Instants are milliseconds since 1970. */
export interface StopAhead {
  /** When it was agreed to be here. */
  agreedMs: number;
  /** Whether the car waits here for the agreed time: at the start, and wherever somebody gets in. */
  waits: boolean;
  /** How long letting people in or out takes. */
  boardingMs: number;
  /** The drive to the next stop; 0 at the last. */
  toNextMs: number;
}

/**
 * When the car reaches each stop ahead, from where it is now: it waits where somebody may still be on their
 * way, and is never earlier at a later stop for having driven fast.
 */
export function arrivalsAt(nowMs: number, toFirstMs: number, stops: readonly StopAhead[]): number[] {
  let atMs = nowMs + toFirstMs;
  return stops.map(({ agreedMs, waits, boardingMs, toNextMs }) => {
    const reachedMs = atMs;
    const leavesMs = Math.max(reachedMs + boardingMs, waits ? agreedMs : reachedMs);
    atMs = leavesMs + toNextMs;
    return reachedMs;
  });
}
