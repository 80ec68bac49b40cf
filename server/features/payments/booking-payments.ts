import type { BookingPayment } from '#contract/payments/views.ts';
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { currentAuthorizations } from './authorizations/store.ts';
import { claimsOf } from './claims/store.ts';
import { isAbout } from './rules/claims.ts';
import { needOf } from './rules/next-step.ts';
import { viewPayment } from './view.ts';

/**
 * The payments of bookings as one of their sides sees them, by booking; a booking without a payment has none.
 */
export async function paymentsOfBookings(
  app: App,
  tx: Db,
  bookings: readonly { id: string; side: 'driver' | 'passenger' }[],
): Promise<Map<string, BookingPayment>> {
  const ids = bookings.map(({ id }) => id);
  const rows = await currentAuthorizations(tx, ids);
  if (rows.length === 0) return new Map();
  const claims = await claimsOf(tx, ids);
  const sideOf = new Map(bookings.map(({ id, side }) => [id, side]));
  const needing = rows.flatMap((row) => {
    const need = needOf(row);
    const isNeeded = need !== null && sideOf.get(row.bookingId) === 'driver';
    return isNeeded ? [{ id: row.id, passengerId: row.passengerId, need }] : [];
  });
  const reminders = await app.ports.payments.paymentRemindersOf(tx, needing);
  const now = app.clock.now();
  return new Map(
    rows.map((row) => [
      row.bookingId,
      viewPayment(
        row,
        claims.findLast((claim) => claim.bookingId === row.bookingId && isAbout(claim, row)) ?? null,
        {
          side: sideOf.get(row.bookingId) ?? 'driver',
          now,
          terms: app.payments.terms,
          reminder: reminders.get(row.id),
        },
      ),
    ]),
  );
}
