import type { Db } from '../../../platform/database/db.ts';
import { mootWords } from '../rules/moot-words.ts';
import { closeClaim } from './resolve-claim.ts';
import * as store from './store.ts';
import { contactDetailsOf } from '../../identity/service.ts';
import type { App } from '../../../app-type.ts';

/**
 * Closes a booking's unresolved claim: the passenger is on board after all, so that what they objected to is
 * void.
 */
export async function closeMootClaim(app: App, tx: Db, bookingId: string): Promise<void> {
  const claim = (await store.claimsOf(tx, [bookingId])).find(({ state }) => state !== 'resolved');
  if (claim === undefined) return;
  const { passengerId } = claim;
  const language = (await contactDetailsOf(app, [passengerId])).get(passengerId)?.language;
  const decision = mootWords(language ?? 'en');
  await closeClaim(app, tx, bookingId, { refundCents: 0, decision, resolvedById: null });
}
