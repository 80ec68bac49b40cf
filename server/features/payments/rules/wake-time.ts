import { later, secondMs } from '../../../platform/clock.ts';
import { isGivenUp, readAgainMs, type AuthorizationFacts } from './next-step.ts';

/** When it is read after the provider cancels an authorization by itself. */
const afterEndMs = 10 * secondMs;

/** Whether an authorization waits for something that is only learned by reading it. */
export const isReadAgain = (
  { state, captureBefore }: Pick<AuthorizationFacts, 'state' | 'captureBefore'>,
  now: Date,
): boolean =>
  state === 'processing' ||
  state === 'requires_action' ||
  (state === 'requires_capture' && captureBefore !== null && captureBefore <= now);

/**
 * When an authorization that rests is due again; null: not before its goal changes, or the provider sends an
 * event.
 * @param reads how often it has been read in this state.
 */
export function wakeAt(
  authorization: Pick<AuthorizationFacts, 'goal' | 'state' | 'captureAt' | 'captureBefore'>,
  now: Date,
  reads: number,
): Date | null {
  const { goal, state, captureAt, captureBefore } = authorization;
  if (isGivenUp(authorization, reads)) return null;
  if (isReadAgain(authorization, now)) return later(now, readAgainMs(reads));
  if (state === 'succeeded' || state === 'canceled') return null;
  if (goal === 'take' && captureAt !== null && captureAt > now) return captureAt;
  if (goal === 'hold' && state === 'requires_capture' && captureBefore !== null)
    return later(captureBefore, afterEndMs);
  return null;
}
