import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { contactDetailsOf } from '../identity/service.ts';
import { resumeAuthorization } from './authorizations/settle.ts';
import { closeClaim } from './claims/resolve-claim.ts';
import * as store from './claims/store.ts';

/** A booking goes on after all: undoes its final fare, and closes a claim about it. */
export async function resumePayment(app: App, tx: Db, bookingId: string, amountCents: number): Promise<void> {
  if (await resumeAuthorization(app, tx, bookingId, amountCents)) await closeMootClaim(app, tx, bookingId);
}

/**
 * Closes a booking's unresolved claim: the passenger is on board after all, so that what they objected to is
 * void.
 */
async function closeMootClaim(app: App, tx: Db, bookingId: string): Promise<void> {
  const claim = (await store.claimsOf(tx, [bookingId])).find(({ state }) => state !== 'resolved');
  if (claim === undefined) return;
  const { passengerId } = claim;
  const language = (await contactDetailsOf(app, [passengerId], tx)).get(passengerId)?.language;
  const decision = mootWords(language ?? 'en');
  await closeClaim(app, tx, bookingId, { refundCents: 0, decision, resolvedById: null });
}

/** The decision that both sides read of a claim about a booking that goes on after all. */
const mootWords = (language: 'en' | 'zh'): string =>
  language === 'zh'
    ? '乘客后来上了车，行程照常，本次争议就此结束。'
    : 'The passenger is on board after all and the ride goes on, so this dispute is closed.';
