import type { App } from '../../../app-type.ts';
import { readPayment } from './record-payment.ts';
import * as store from './store.ts';
import { workOnBooking } from './worker.ts';

/**
 * Reads the state of a booking's payment from the provider, before the booking ends for want of it. Waits for
 * a worker that asks the provider just then: its answer may say that the seat is paid. False while the state
 * is not known: the provider does not answer, or the bank still works on it.
 */
export async function readBeforeEnd(app: App, bookingId: string): Promise<boolean> {
  const { db, clock } = app;
  const asked = await store.currentAuthorization(db, bookingId);
  if (asked === null || !asked.isAsked) return true;
  await workOnBooking(app, bookingId);
  if (await store.isLeased(db, bookingId, clock.now())) return false;
  const authorization = (await store.currentAuthorization(db, bookingId)) ?? asked;
  const read = authorization.paymentId === null ? authorization : await readPayment(app, authorization);
  return read !== null && read.state !== 'processing' && read.state !== 'requires_confirmation';
}
