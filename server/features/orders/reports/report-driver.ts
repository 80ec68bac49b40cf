import type { App } from '../../../app-type.ts';
import { hourMs, later } from '../../../platform/clock.ts';
import { contactDetailsOf } from '../../identity/service.ts';
import { contestFare, settleAuthorization } from '../../payments/service.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';
import { reportWords } from '../rules/unclear.ts';
import * as store from '../store.ts';
import * as own from './store.ts';

/**
 * Opens a report on a booking just missed by its driver's fault; contested at once where a position
 * contradicts it.
 *
 * One report neither releases the money at once nor counts against the driver: while a no-show can be
 * objected to, positions and steps stored on the driver's phone may contradict it, and then an admin decides
 * (decision 0034).
 */
export async function openReport(
  app: App,
  locked: LockedOrders,
  booking: store.BookingRow,
  { by, isContradicted }: { by: 'passenger' | 'system'; isContradicted: boolean },
): Promise<void> {
  const { id: bookingId, rideId, driverId, passengerId } = booking;
  const at = app.clock.now();
  const resolveAt = later(at, app.env.DISPUTE_HOURS * hourMs);
  await own.openReport(await locked.db(), {
    bookingId,
    rideId,
    driverId,
    passengerId,
    by,
    at,
    resolveAt,
  });
  if (isContradicted) await contestReport(app, locked, booking);
}

const isReported = ({ state, fault }: store.BookingRow) => state === 'missed' && fault === 'driver';

/** When a booking was reported, while the report can still be contradicted; else null. */
export async function reportedAt(locked: LockedOrders, booking: store.BookingRow): Promise<Date | null> {
  return isReported(booking) ? ((await own.openReportOf(await locked.db(), booking.id))?.at ?? null) : null;
}

/** Leaves a reported booking to an admin; nothing where it has no open report. */
export async function contestReport(
  app: App,
  locked: LockedOrders,
  booking: store.BookingRow,
): Promise<void> {
  if (!(await own.closeReport(await locked.db(), booking.id, 'contested', app.clock.now()))) return;
  const details = await contactDetailsOf(app, [booking.passengerId], await locked.db());
  const language = details.get(booking.passengerId)?.language;
  await contestFare(app, await locked.db(), booking, reportWords(language ?? 'en'));
}

/** Reports that can no longer be contradicted, by their bookings. */
export const dueReports = ({ db, clock }: App, limit: number): Promise<string[]> =>
  own.dueReports(db, clock.now(), limit);

/**
 * Decides an uncontradicted report: cancels the authorization and counts the strike. Left to the next round
 * while another transaction has its ride.
 */
export async function settleReport(app: App, bookingId: string): Promise<void> {
  const [seen] = await store.bookingsByIds(app.db, [bookingId]);
  if (seen === undefined) return;
  await changeOrders(app, 'decide report', async (locked) => {
    if (!(await store.claimRide(await locked.db(), seen.rideId))) return;
    await locked.lockRide(seen.rideId, [seen.requestId]);
    const booking = locked.booking(bookingId);
    const report = await own.openReportOf(await locked.db(), bookingId);
    const now = app.clock.now();
    if (booking === null || report === null || report.resolveAt > now) return;
    const outcome = isReported(booking) ? 'upheld' : 'undone';
    await own.closeReport(await locked.db(), bookingId, outcome, now);
    if (outcome === 'undone') return;
    await settleAuthorization(app, await locked.db(), bookingId, {
      captureCents: 0,
      kind: 'cancellation',
      captureAt: now,
    });
    locked.emit('driver.missed', { bookingId, by: report.by }, booking.rideId);
  });
}
