import type { Platform } from '../../../platform/platform.ts';
import { hourMs, later } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { IdentityService } from '../../identity/service.ts';
import type { PaymentsService } from '../../payments/service.ts';
import { reportWords } from '../rules/claim-texts.ts';
import * as store from '../store.ts';
import type { ChatDirectory } from '../upper-directories.ts';
import { contactsOf } from './contacts.ts';
import * as own from './store.ts';

/**
 * Drivers who were reported not to have come. One person's word neither releases the money at once nor counts
 * against the driver: for as long as a no-show can be objected to, positions and steps that the driver's
 * phone had kept may contradict it, and then an admin decides (decision 0034).
 */
export function createReports(
  { db, transact, clock, outbox, env }: Platform,
  { identity, payments, chat }: { identity: IdentityService; payments: PaymentsService; chat: ChatDirectory },
) {
  const isReported = ({ state, fault }: store.BookingRow) => state === 'missed' && fault === 'driver';

  async function contest(tx: Db, booking: store.BookingRow): Promise<void> {
    if (!(await own.closeReport(tx, booking.id, 'contested', clock.now()))) return;
    const language = (await identity.contactDetails([booking.passengerId])).get(
      booking.passengerId,
    )?.language;
    await payments.contest(tx, booking, reportWords(language ?? 'en'));
  }

  return {
    /**
     * Opens a report on a booking that has just been missed by its driver's fault; contested at once where
     * something contradicts it.
     */
    async open(
      tx: Db,
      booking: store.BookingRow,
      { by, isContradicted }: { by: 'passenger' | 'system'; isContradicted: boolean },
    ): Promise<void> {
      const { id: bookingId, rideId, driverId, passengerId } = booking;
      const at = clock.now();
      const settleAt = later(at, env.DISPUTE_HOURS * hourMs);
      await own.openReport(tx, { bookingId, rideId, driverId, passengerId, by, at, settleAt });
      if (isContradicted) await contest(tx, booking);
    },

    /** Since when a booking stands reported and may still be contradicted; null where it does not. */
    async reportedAt(tx: Db, booking: store.BookingRow): Promise<Date | null> {
      return isReported(booking) ? ((await own.openReportOf(tx, booking.id))?.at ?? null) : null;
    },

    contest,

    /** Reports whose time to be contradicted is over. */
    due: (limit: number) => own.dueReports(db, clock.now(), limit),

    /** Settles a report that nothing has contradicted: the hold is let go, and the strike is counted. */
    async settleDue(bookingId: string): Promise<void> {
      const [seen] = await store.bookingsByIds(db, [bookingId]);
      if (seen === undefined) return;
      await transact(async (tx) => {
        await store.lockRide(tx, seen.rideId);
        const [booking] = await store.bookingsByIds(tx, [bookingId]);
        const report = await own.openReportOf(tx, bookingId);
        const now = clock.now();
        if (booking === undefined || report === null || report.settleAt > now) return;
        const outcome = isReported(booking) ? 'upheld' : 'undone';
        await own.closeReport(tx, bookingId, outcome, now);
        if (outcome === 'undone') return;
        await payments.settle(tx, bookingId, { takeCents: 0, kind: 'cancellation', takeAt: now });
        await outbox.emit(tx, 'driver.missed', { bookingId, by: report.by }, booking.rideId);
      });
    },

    noteContact: own.noteContact,

    withContacts: (tx: Db, bookings: readonly store.BookingRow[]) => contactsOf({ db: tx, chat }, bookings),
  };
}
