import type { App } from '../../../app-type.ts';
import { hourMs, later } from '../../../platform/clock.ts';

import { reportWords } from '../rules/claim-texts.ts';
import * as store from '../store.ts';
import type { ChatDirectory } from '../upper-directories.ts';
import { contactsOf } from './contacts.ts';
import * as own from './store.ts';
import { contactDetailsOf } from '../../identity/service.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';
import { contestFare, settleAuthorization } from '../../payments/service.ts';

/**
 * Drivers whom a passenger reported as not having come. One report neither releases the money at once nor
 * counts against the driver: while a no-show can be objected to, positions and steps stored on the driver's
 * phone may contradict it, and then an admin decides (decision 0034).
 */
export function createReports(platform: App, { chat }: { chat: ChatDirectory }) {
  const { db, clock, env } = platform;
  const isReported = ({ state, fault }: store.BookingRow) => state === 'missed' && fault === 'driver';

  async function contest(locked: LockedOrders, booking: store.BookingRow): Promise<void> {
    if (!(await own.closeReport(await locked.db(), booking.id, 'contested', clock.now()))) return;
    const language = (await contactDetailsOf(platform, [booking.passengerId])).get(
      booking.passengerId,
    )?.language;
    await contestFare(platform, await locked.db(), booking, reportWords(language ?? 'en'));
  }

  return {
    /**
     * Opens a report on a booking just missed by its driver's fault; contested at once where a position
     * contradicts it.
     */
    async open(
      locked: LockedOrders,
      booking: store.BookingRow,
      { by, isContradicted }: { by: 'passenger' | 'system'; isContradicted: boolean },
    ): Promise<void> {
      const { id: bookingId, rideId, driverId, passengerId } = booking;
      const at = clock.now();
      const resolveAt = later(at, env.DISPUTE_HOURS * hourMs);
      await own.openReport(await locked.db(), {
        bookingId,
        rideId,
        driverId,
        passengerId,
        by,
        at,
        resolveAt,
      });
      if (isContradicted) await contest(locked, booking);
    },

    /** When a booking was reported, while the report can still be contradicted; else null. */
    async reportedAt(locked: LockedOrders, booking: store.BookingRow): Promise<Date | null> {
      return isReported(booking)
        ? ((await own.openReportOf(await locked.db(), booking.id))?.at ?? null)
        : null;
    },

    contest,

    /** Reports that can no longer be contradicted. */
    isAnyDue: own.isAnyReportDue,
    due: (limit: number) => own.dueReports(db, clock.now(), limit),

    /**
     * Decides an uncontradicted report: cancels the authorization and counts the strike. Left to the next
     * round while another transaction has its ride.
     */
    async settleDue(bookingId: string): Promise<void> {
      const [seen] = await store.bookingsByIds(db, [bookingId]);
      if (seen === undefined) return;
      await changeOrders(platform, async (locked) => {
        if (!(await store.claimRide(await locked.db(), seen.rideId))) return;
        await locked.lockRide(seen.rideId, [seen.requestId]);
        const booking = locked.booking(bookingId);
        const report = await own.openReportOf(await locked.db(), bookingId);
        const now = clock.now();
        if (booking === null || report === null || report.resolveAt > now) return;
        const outcome = isReported(booking) ? 'upheld' : 'undone';
        await own.closeReport(await locked.db(), bookingId, outcome, now);
        if (outcome === 'undone') return;
        await settleAuthorization(platform, await locked.db(), bookingId, {
          captureCents: 0,
          kind: 'cancellation',
          captureAt: now,
        });
        locked.emit('driver.missed', { bookingId, by: report.by }, booking.rideId);
      });
    },

    noteContact: own.noteContact,

    withContacts: async (locked: LockedOrders, bookings: readonly store.BookingRow[]) =>
      contactsOf({ db: await locked.db(), chat }, bookings),
  };
}
