import type { HoldFacts } from './next-step.ts';
import { takeBeforeEndMs } from './next-step.ts';

/** What becomes of a hold whose ride moves to another time. */
export type HoldMove =
  /** It is not asked for yet: its day moves with the ride. */
  | 'plan'
  /** It stands, or is being asked for, and reaches as far as the ride. */
  | 'keep'
  /** It would end before the ride, or was asked for long before it is needed: it is let go, and planned anew. */
  | 'anew';

/**
 * What a ride's new time means for its hold.
 * @param placedAt when a hold for the new time would be placed.
 */
export function holdMove(
  hold: Pick<HoldFacts, 'isAsked' | 'state'> & { holdEndsAt: Date | null },
  { rideAt, placedAt, now }: { rideAt: Date; placedAt: Date; now: Date },
): HoldMove {
  if (!hold.isAsked) return 'plan';
  if (hold.state === 'requires_capture') {
    const reaches =
      hold.holdEndsAt === null || hold.holdEndsAt.getTime() >= rideAt.getTime() + takeBeforeEndMs;
    return reaches ? 'keep' : 'anew';
  }
  return placedAt > now ? 'anew' : 'keep';
}
