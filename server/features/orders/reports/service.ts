import type { App } from '../../../app-type.ts';
import { hourMs, later } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { PaymentsService } from '../../payments/service.ts';
import { reportWords } from '../rules/claim-texts.ts';
import * as store from '../store.ts';
import type { ChatDirectory } from '../upper-directories.ts';
import { contactsOf } from './contacts.ts';
import * as own from './store.ts';
import { contactDetailsOf } from '../../identity/service.ts';

/**
 * Drivers whom a passenger reported as not having come. One report neither releases the money at once nor
 * counts against the driver: while a no-show can be objected to, positions and steps stored on the driver's
 * phone may contradict it, and then an admin decides (decision 0034).
 */
export function createReports(
  app: App,
  { payments, chat }: { payments: PaymentsService; chat: ChatDirectory },
) {
  const { db, transact, clock, outbox, env } = app;
  const isReported = ({ state, fault }: store.BookingRow) => state === 'missed' && fault === 'driver';

  async function contest(tx: Db, booking: store.BookingRow): Promise<void> {
    if (!(await own.closeReport(tx, booking.id, 'contested', clock.now()))) return;
    const language = (await contactDetailsOf(app, [booking.passengerId])).get(booking.passengerId)?.language;
    await payments.contest(tx, booking, reportWords(language ?? 'en'));
  }

  return {
    /**
     * Opens a report on a booking just missed by its driver's fault; contested at once where a position
     * contradicts it.
     */
    async open(
      tx: Db,
      booking: store.BookingRow,
      { by, isContradicted }: { by: 'passenger' | 'system'; isContradicted: boolean },
    ): Promise<void> {
      const { id: bookingId, rideId, driverId, passengerId } = booking;
      const at = clock.now();
      const resolveAt = later(at, env.DISPUTE_HOURS * hourMs);
      await own.openReport(tx, { bookingId, rideId, driverId, passengerId, by, at, resolveAt });
      if (isContradicted) await contest(tx, booking);
    },

    /** When a booking was reported, while the report can still be contradicted; else null. */
    async reportedAt(tx: Db, booking: store.BookingRow): Promise<Date | null> {
      return isReported(booking) ? ((await own.openReportOf(tx, booking.id))?.at ?? null) : null;
    },

    contest,

    /** Reports that can no longer be contradicted. */
    isAnyDue: own.isAnyReportDue,
    due: (limit: number) => own.dueReports(db, clock.now(), limit),

    /**
     * Settles an uncontradicted report: cancels the authorization and counts the strike. Left to the next
     * round while another transaction has its ride.
     */
    async settleDue(bookingId: string): Promise<void> {
      const [seen] = await store.bookingsByIds(db, [bookingId]);
      if (seen === undefined) return;
      await transact(async (tx) => {
        if (!(await store.claimRide(tx, seen.rideId))) return;
        await store.lockRide(tx, seen.rideId);
        const [booking] = await store.bookingsByIds(tx, [bookingId]);
        const report = await own.openReportOf(tx, bookingId);
        const now = clock.now();
        if (booking === undefined || report === null || report.resolveAt > now) return;
        const outcome = isReported(booking) ? 'upheld' : 'undone';
        await own.closeReport(tx, bookingId, outcome, now);
        if (outcome === 'undone') return;
        await payments.settle(tx, bookingId, { captureCents: 0, kind: 'cancellation', captureAt: now });
        await outbox.emit(tx, 'driver.missed', { bookingId, by: report.by }, booking.rideId);
      });
    },

    noteContact: own.noteContact,

    withContacts: (tx: Db, bookings: readonly store.BookingRow[]) => contactsOf({ db: tx, chat }, bookings),
  };
}
