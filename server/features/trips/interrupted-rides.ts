import type { OutputOf } from '#contract/define.ts';
import type { BookingPayment } from '#contract/payments/views.ts';
import type * as calls from '#contract/trips/interrupted-rides.ts';
import type { App } from '../../app-type.ts';
import { dayMs, later } from '../../platform/clock.ts';
import { movedOn, refuseField } from '../../platform/refusal.ts';
import { approximatePlace } from '../geo/service.ts';
import { peopleByIds } from '../identity/service.ts';
import { bookingsByIds, ridesByIds } from '../orders/aggregate/queries.ts';
import {
  changeOrders,
  listBrokenRides,
  brokenRidesByIds,
  countBrokenOf,
  brokenBookingsOf,
  decideBroken,
  bookingsOf,
  bookingNotFound,
  fromOf,
  settledShare,
  toOf,
  type BookingRow,
} from '../orders/service.ts';
import { paymentsOfBookings, settlePartWayFare, workOnBooking } from '../payments/service.ts';

const pageSize = 30;
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

type BrokenRide = calls.BrokenRide;
type BrokenRow = Awaited<ReturnType<typeof listBrokenRides>>['rows'][number];
type BrokenBooking = Awaited<ReturnType<typeof brokenBookingsOf>>[number];

/** The start of the period in which a driver's interrupted rides are counted. */
const since = ({ clock, env }: App) => later(clock.now(), -env.STRIKE_MONTHS * 30 * dayMs);

/** Rides that ended on the way, newest first, for admins. The reading is logged. */
export async function listInterruptedRides(
  app: App,
  adminId: string,
  offset: number,
): Promise<OutputOf<typeof calls.listBrokenRides>> {
  const page = { since: since(app), offset, size: pageSize };
  const { rows, total } = await listBrokenRides(app.db, page);
  const rides = await viewRides(app, rows);
  const people = rides.flatMap(({ driver, aboard }) => [driver, ...aboard.map((each) => each.passenger)]);
  await app.audit.noteReading(
    adminId,
    'interruptedRides',
    people.map((person) => person?.id ?? null),
  );
  return { rides, total };
}

/** One interrupted ride, for admins. */
export async function viewInterruptedRide(app: App, rideId: string): Promise<BrokenRide> {
  const row = (await brokenRidesByIds(app.db, [rideId]))[0]!;
  const ofDriver = await countBrokenOf(app.db, row.driverId, since(app));
  return (await viewRides(app, [{ ...row, ofDriver }]))[0]!;
}

/** An admin decides one share: as proposed, or lower with a reason. A pending payment is captured at once. */
export async function settleInterruptedShare(
  app: App,
  { bookingId, shareCents, note }: { bookingId: string; shareCents: number; note: string },
  adminId: string,
): Promise<{ ride: BrokenRide }> {
  const [booking] = await bookingsByIds(app.db, [bookingId]);
  if (booking === undefined) throw bookingNotFound();
  const own = (await brokenBookingsOf(app.db, [booking.rideId])).find((each) => each.bookingId === bookingId);
  if (own === undefined) throw bookingNotFound();
  if (shareCents > own.shareCents)
    throw refuseField(
      'broken.amountTooHigh',
      'shareCents',
      `No one pays for more than they rode: up to ${dollars(own.shareCents)}.`,
      { amountCents: own.shareCents },
    );
  if (shareCents < own.shareCents && note === '')
    throw refuseField('broken.reasonMissing', 'note', 'Please enter a reason.');
  await changeOrders(app, 'decide interrupted fare', async (locked) => {
    await locked.lockRide(booking.rideId);
    const decided = await decideBroken(await locked.db(), bookingId, {
      decidedCents: shareCents,
      note,
    });
    const settles =
      decided !== null &&
      (await settlePartWayFare(app, await locked.db(), adminId, {
        bookingId,
        captureCents: shareCents,
        note,
      }));
    if (!settles) throw movedOn('broken.settled', 'This was already settled. Please check again.');
    await app.audit.note(await locked.db(), {
      adminId,
      action: 'share.settled',
      personId: booking.passengerId,
      thingId: bookingId,
      note: note === '' ? dollars(shareCents) : `${dollars(shareCents)}: ${note}`,
    });
  });
  await workOnBooking(app, bookingId);
  return { ride: await viewInterruptedRide(app, booking.rideId) };
}

async function viewRides(app: App, rows: readonly BrokenRow[]): Promise<BrokenRide[]> {
  const rideIds = rows.map(({ rideId }) => rideId);
  const [rides, aboard, bookings] = await Promise.all([
    ridesByIds(app.db, rideIds),
    brokenBookingsOf(app.db, rideIds),
    bookingsOf(app.db, { rideIds }),
  ]);
  const sides = aboard.map(({ bookingId }) => ({ id: bookingId, side: 'driver' as const }));
  const driverIds = rows.map(({ driverId }) => driverId);
  const passengerIds = bookings.map(({ passengerId }) => passengerId);
  const [paid, people] = await Promise.all([
    paymentsOfBookings(app, app.db, sides),
    peopleByIds(app, [...driverIds, ...passengerIds]),
  ]);
  return rows.map((row) => {
    const ride = rides.find(({ id }) => id === row.rideId)!;
    return {
      rideId: row.rideId,
      orderNumber: ride.orderNumber,
      driver: people.get(row.driverId) ?? null,
      // The passengers' shares depend on the distance they rode; the driver's exact place is not needed for
      // it.
      from: approximatePlace(app, fromOf(ride)).name,
      to: approximatePlace(app, toOf(ride)).name,
      departsAt: ride.departsAt.toISOString(),
      timeZone: ride.timeZone,
      at: row.at.toISOString(),
      by: row.by,
      kind: row.kind,
      words: row.words,
      source: row.source,
      place: row.place,
      ofDriver: row.ofDriver,
      aboard: aboard
        .filter(({ rideId }) => rideId === row.rideId)
        .map((own) => {
          const booking = bookings.find(({ id }) => id === own.bookingId)!;
          const passenger = people.get(booking.passengerId) ?? null;
          return { ...viewShare(own, booking, paid.get(own.bookingId) ?? null), passenger };
        }),
    };
  });
}

/** One passenger's distance, share and payments. */
function viewShare(own: BrokenBooking, booking: BookingRow, paid: BookingPayment | null) {
  const { dispute = null, ...payment } = paid ?? {};
  const { bookingId, riddenMetres, routeMetres, shareCents, note } = own;
  const settledCents = settledShare(own, paid);
  return {
    bookingId,
    riddenMetres,
    routeMetres,
    fareCents: booking.fareCents,
    shareCents,
    settledCents,
    note,
    payment: paid === null ? null : (payment as Omit<BookingPayment, 'dispute'>),
    dispute,
    maySettle: settledCents === null,
  };
}
