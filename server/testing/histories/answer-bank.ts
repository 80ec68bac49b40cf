import { sql } from 'drizzle-orm';
import type { HistoryContext } from './history-context.ts';
import type { Hold } from './world.ts';

/**
 * A passenger answers on the page of a bank; a page that is over says so and does nothing. The booking is
 * noted as paid where the provider then has the money.
 */
export async function answerBank(context: HistoryContext, hold: Hold, answer: 'yes' | 'no'): Promise<void> {
  const { app, clock, paid } = context;
  const { pathname, search } = new URL(hold.actionUrl!);
  const { statusCode } = await app.http.inject({
    method: 'POST',
    url: `${pathname}${search}`,
    payload: new URLSearchParams({ answer }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  if (statusCode >= 500) throw new Error(`The bank's page answered ${statusCode}.`);
  if (answer === 'no') return;
  const { rows } = await app.platform.db.execute<{ open: boolean }>(sql`
    select from sandbox_objects payment join bookings on bookings.id = ${hold.bookingId}
      join authorizations on authorizations.payment_id = payment.id and authorizations.booking_id = bookings.id
    where payment.id = ${hold.paymentId} and payment.body ->> 'status' = 'requires_capture'
      and authorizations.is_current and bookings.awaits = 'payment'
      and bookings.expires_at > ${clock.now().toISOString()}`);
  if (rows.length > 0)
    paid.set(hold.bookingId, { at: clock.now(), authorizationId: hold.id, hasSeat: false });
}
