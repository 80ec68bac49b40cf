import type { App } from '../../../app-type.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import {
  currentAuthorization,
  currentAuthorizations,
  updateGoal,
  type AuthorizationRow,
} from '../authorizations/store.ts';
import { captureBeforeEndMs } from '../rules/next-step.ts';
import { openClaimFor } from './open-claim.ts';

/** Where the card provider does not say how long an authorization lasts. */
const usualDecisionMs = 4 * dayMs;

/** Until when it must be decided what becomes of an authorization; null where nothing is authorized. */
const decideByOf = ({ goal, state, captureBefore }: AuthorizationRow, now: Date): Date | null =>
  goal !== 'authorize' || state !== 'requires_capture'
    ? null
    : captureBefore === null
      ? later(now, usualDecisionMs)
      : later(captureBefore, -captureBeforeEndMs);

/**
 * Until when each of these bookings' money must be decided about; bookings without an authorization have
 * none.
 */
export async function decideBy(app: App, tx: Db, bookingIds: readonly string[]): Promise<Date[]> {
  const now = app.clock.now();
  return (await currentAuthorizations(tx, bookingIds)).flatMap((each) => decideByOf(each, now) ?? []);
}

/**
 * Leaves a booking's share, of which two people say different things, to an admin: it stays authorized as a
 * claim of the passenger, until an admin decides or there is no more time to; then it is canceled
 * (`cancelUndecided`).
 */
export async function contestFare(
  app: App,
  tx: Db,
  { id, fareCents }: { id: string; fareCents: number },
  text: string,
): Promise<void> {
  const authorization = await currentAuthorization(tx, id, true);
  if (authorization === null || authorization.goal !== 'authorize') return;
  const now = app.clock.now();
  const captureAt = decideByOf(authorization, now);
  const captureCents = Math.min(fareCents, authorization.amountCents);
  const common = { settledAt: now, attempts: 0, trouble: null };
  if (captureAt === null || captureAt <= now || captureCents === 0) {
    await updateGoal(tx, authorization.id, { ...common, goal: 'cancel', nextAt: now }, now);
    return;
  }
  const waiting = { goal: 'capture', kind: 'contested', captureCents, captureAt, nextAt: captureAt } as const;
  await updateGoal(tx, authorization.id, { ...common, ...waiting }, now);
  await openClaimFor(app, tx, authorization, text);
}
