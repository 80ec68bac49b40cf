/** A stop that the car has not left yet. Instants are milliseconds since 1970. */
export interface StopAhead {
  /** The agreed time of this stop. */
  agreedMs: number;
  /** Whether the car waits here for the agreed time: at the start, and at pick-ups. */
  waits: boolean;
  /** How long boarding or getting out takes. */
  boardingMs: number;
  /** The drive to the next stop; 0 at the last. */
  toNextMs: number;
}

/**
 * When the car reaches each stop ahead, from where it is now: it waits at pick-ups for the agreed time, so a
 * fast drive makes no later stop early.
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
