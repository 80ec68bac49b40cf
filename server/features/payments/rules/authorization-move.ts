import type { AuthorizationFacts } from './next-step.ts';
import { captureBeforeEndMs } from './next-step.ts';

/** The fate of an authorization whose ride moves to another time. */
export type AuthorizationMove =
  /** It is not placed yet: its day moves with the ride. */
  | 'plan'
  /** It is placed, or is being placed, and lasts until after the ride. */
  | 'keep'
  /**
   * It would end before the ride, or was placed long before it is needed: it is canceled, and planned again.
   */
  | 'anew';

/**
 * The consequence of a ride's new time for its authorization.
 * @param placedAt when an authorization for the new time would be placed.
 */
export function authorizationMove(
  authorization: Pick<AuthorizationFacts, 'isAsked' | 'state'> & { captureBefore: Date | null },
  { rideAt, placedAt, now }: { rideAt: Date; placedAt: Date; now: Date },
): AuthorizationMove {
  if (!authorization.isAsked) return 'plan';
  if (authorization.state === 'requires_capture') {
    const reaches =
      authorization.captureBefore === null ||
      authorization.captureBefore.getTime() >= rideAt.getTime() + captureBeforeEndMs;
    return reaches ? 'keep' : 'anew';
  }
  return placedAt > now ? 'anew' : 'keep';
}
