import { minuteMs } from '../../platform/clock.ts';
import { notifyOf, orderPage, type NoticeContext } from './order-notices.ts';

/** Notifies passengers and drivers of payments. */
export function listenForPaymentNotices(context: NoticeContext): void {
  const { outbox } = context;
  outbox.on('payment.needed', 'notices', async ({ id, payload }) => {
    const { holdId, bookingId, passengerId, driverId, rideId, need, isPresent } = payload;
    const source = `signal:${id}`;
    const of = { rideId, bookingId };
    if (need !== 'driverAccount')
      return notifyOf(context, of, passengerId, {
        news: 'paymentNeeded',
        source,
        otherId: null,
        path: orderPage(rideId),
        facts: { holdId, need },
        // A passenger who is just paying gets time to finish.
        emailsAfterMs: isPresent ? 2 * minuteMs : 0,
      });
    // The passenger cannot act on it.
    const path = '/pages/account/payments';
    await notifyOf(context, of, driverId, { news: 'accountNotReady', source, otherId: null, path });
    await notifyOf(context, of, passengerId, {
      news: 'driverAccount',
      source,
      otherId: driverId,
      path: orderPage(rideId),
    });
  });
  outbox.on('payment.captured', 'notices', async ({ id, payload }) => {
    const { bookingId, passengerId, driverId, rideId, amountCents } = payload;
    const about = { source: `signal:${id}`, path: '/pages/account/payments', facts: { amountCents } };
    const of = { rideId, bookingId };
    await notifyOf(context, of, passengerId, { news: 'receipt', ...about, otherId: null });
    await notifyOf(context, of, driverId, { news: 'paid', ...about, otherId: passengerId });
  });
}
