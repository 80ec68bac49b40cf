import type { AuthorizationContext } from './context.ts';
import { readPayment } from './record-payment.ts';
import * as store from './store.ts';

/**
 * Reads from the provider how a booking's payment stands, before the booking ends for want of it. False while
 * that is not known: the provider is being asked, does not answer, or the bank still works on it.
 */
export async function readBeforeEnd(context: AuthorizationContext, bookingId: string): Promise<boolean> {
  const { db, clock } = context.platform;
  const authorization = await store.currentAuthorization(db, bookingId);
  if (authorization === null || !authorization.isAsked) return true;
  if (await store.isLeased(db, bookingId, clock.now())) return false;
  const read = authorization.paymentId === null ? authorization : await readPayment(context, authorization);
  return read !== null && read.state !== 'processing' && read.state !== 'requires_confirmation';
}
