import { minuteMs } from '../../platform/clock.ts';
import type { Drafting } from './drafts.ts';
import { orderPage } from './order-notices.ts';

const paymentsPage = '/pages/account/payments';

/** Notifies passengers and drivers of payments. */
export const paymentNotices = (): Drafting => ({
  'payment.needed': {
    concerns: true,
    drafts({ id, payload: { authorizationId, bookingId, passengerId, driverId, rideId, need, isPresent } }) {
      const about = { of: { rideId, bookingId }, source: `signal:${id}`, facts: {} };
      const toPassenger = { ...about, userId: passengerId, path: orderPage(rideId) };
      if (need !== 'driverAccount')
        return [
          {
            ...toPassenger,
            news: 'paymentNeeded',
            otherId: null,
            facts: { authorizationId, need },
            // A passenger who is just paying gets time to finish.
            emailsAfterMs: isPresent ? 2 * minuteMs : 0,
          },
        ];
      // The passenger cannot act on it.
      return [
        { ...about, userId: driverId, news: 'accountNotReady', otherId: null, path: paymentsPage },
        { ...toPassenger, news: 'driverAccount', otherId: driverId },
      ];
    },
  },
  'debt.writtenOff': {
    concerns: true,
    drafts({ id, payload: { bookingId, passengerId, driverId, rideId, requestId, amountCents } }) {
      const about = { of: { rideId, bookingId }, source: `signal:${id}`, facts: { amountCents } };
      return [
        {
          ...about,
          userId: passengerId,
          news: 'debtWrittenOff',
          otherId: null,
          path: orderPage(requestId),
        },
        { ...about, userId: driverId, news: 'fareWrittenOff', otherId: passengerId, path: orderPage(rideId) },
      ];
    },
  },
  'payment.captured': {
    concerns: true,
    drafts({ id, payload: { bookingId, passengerId, driverId, rideId, amountCents } }) {
      const about = {
        of: { rideId, bookingId },
        source: `signal:${id}`,
        path: paymentsPage,
        facts: { amountCents },
      };
      return [
        { ...about, userId: passengerId, news: 'receipt', otherId: null },
        { ...about, userId: driverId, news: 'paid', otherId: passengerId },
      ];
    },
  },
});
