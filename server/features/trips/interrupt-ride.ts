import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/trips/breaking-off.ts';
import { seatedStates, type BreakOffKind } from '#contract/rides/moves.ts';
import type { Ride } from '#contract/rides/views.ts';
import type { LonLat } from '#roads/geometry.ts';
import type { Platform } from '../../platform/platform.ts';
import { dayMs, later } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { movedOn, notFound, refuseField } from '../../platform/refusal.ts';
import type { IdentityService } from '../identity/service.ts';
import type { PaymentsService } from '../payments/service.ts';
import {
  mayMoveRide,
  rideFacts,
  settledShare,
  type By,
  type RideRow,
  type OrdersService,
} from '../orders/service.ts';
import * as store from './store.ts';

const pageSize = 30;
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
const missing = () => notFound('order.notFound', 'This ride could not be found.');
const reasonMissing = () =>
  refuseField('order.reasonMissing', 'reason', 'Please enter a reason for those who have joined.');
const stale = () => movedOn('order.moved', 'This ride has moved on. Please look again.');

type BrokenRide = calls.BrokenRide;

/** Ending a ride on the way, by its driver or an admin, and what admins see and settle of it afterwards. */
export function createInterruptRide(
  { db, transact, clock, env, audit }: Platform,
  features: {
    rides: OrdersService;
    identity: IdentityService;
    payments: PaymentsService;
  },
) {
  const { rides, identity, payments } = features;

  async function breakOff(
    tx: Db,
    ride: RideRow,
    by: By,
    told: { kind: BreakOffKind; reason: string; place: LonLat | null },
  ): Promise<void> {
    const bookings = await rides.bookingsOf(tx, { rideIds: [ride.id] });
    const facts = rideFacts(ride, await rides.stopsOf(tx, [ride.id]), bookings);
    if (!mayMoveRide(facts, clock.now()).includes('breakOff')) throw stale();
    await rides.broken.breakOff(tx, ride, by, {
      kind: told.kind,
      words: told.reason,
      chosen: told.place,
      position: await store.positionOf(tx, ride.id),
    });
  }

  /** Rides that ended on the way, as admins see them. */
  async function viewBroken(
    rows: readonly Awaited<ReturnType<typeof rides.broken.list>>['rows'][number][],
  ): Promise<BrokenRide[]> {
    const ids = rows.map(({ rideId }) => rideId);
    const [found, aboard, bookings] = await Promise.all([
      rides.ridesByIds(ids),
      rides.broken.bookingsOf(ids),
      rides.bookingsOf(db, { rideIds: ids }),
    ]);
    const [paid, people] = await Promise.all([
      payments.views(
        db,
        aboard.map(({ bookingId }) => ({ id: bookingId, side: 'driver' })),
      ),
      identity.people([
        ...rows.map(({ driverId }) => driverId),
        ...bookings.map(({ passengerId }) => passengerId),
      ]),
    ]);
    return rows.map((row) => {
      const ride = found.find(({ id }) => id === row.rideId)!;
      return {
        rideId: row.rideId,
        orderNumber: ride.orderNumber,
        driver: people.get(row.driverId) ?? null,
        from: ride.fromName,
        to: ride.toName,
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
            const all = paid.get(own.bookingId) ?? null;
            const { dispute = null, ...payment } = all ?? {};
            const { riddenMetres, wayMetres, shareCents, note } = own;
            const settledCents = settledShare(own, all);
            return {
              bookingId: own.bookingId,
              passenger: people.get(booking.passengerId) ?? null,
              riddenMetres,
              wayMetres,
              fareCents: booking.fareCents,
              shareCents,
              settledCents,
              note,
              payment: all === null ? null : (payment as Omit<typeof all, 'dispute'>),
              dispute,
              maySettle: settledCents === null,
            };
          }),
      };
    });
  }

  async function one(rideId: string): Promise<BrokenRide> {
    const row = (await rides.broken.ridesByIds([rideId]))[0]!;
    const ofDriver = await rides.broken.countOf(row.driverId, since());
    return (await viewBroken([{ ...row, ofDriver }]))[0]!;
  }

  const since = () => later(clock.now(), -env.STRIKE_MONTHS * 30 * dayMs);

  return {
    /** What ending my ride here would mean. Nothing is changed. */
    async breakOffPreview(
      { id, lon, lat }: { id: string; lon?: number | undefined; lat?: number | undefined },
      driverId: string,
    ): Promise<OutputOf<typeof calls.breakOffPreview>> {
      const ride = await rides.rideById(id);
      if (ride === null || ride.driverId !== driverId) throw missing();
      const bookings = await rides.bookingsOf(db, { rideIds: [id] });
      const facts = rideFacts(ride, await rides.stopsOf(db, [id]), bookings);
      const chosen = lon === undefined || lat === undefined ? null : { lon, lat };
      const found = await rides.broken.assess(db, ride, bookings, {
        chosen,
        position: await store.positionOf(db, id),
      });
      const joined = bookings.filter(({ state }) => seatedStates.includes(state)).length;
      const people = await identity.people(found.aboard.map(({ booking }) => booking.passengerId));
      return {
        may: mayMoveRide(facts, clock.now()).includes('breakOff'),
        source: found.source,
        place: found.place,
        ...found.at,
        notPicked: joined - found.aboard.length,
        aboard: found.aboard.map(({ booking, riddenMetres, wayMetres, shareCents }) => ({
          bookingId: booking.id,
          name: people.get(booking.passengerId)?.name ?? '',
          riddenMetres,
          wayMetres,
          fareCents: booking.fareCents,
          shareCents,
        })),
        strike: joined > 0,
        objectHours: env.DISPUTE_HOURS,
      };
    },

    /** The driver cannot go on. Refuses a ride that is not on the way, and another reason without its words. */
    async breakOff(
      {
        id,
        kind,
        reason,
        place,
      }: { id: string; kind: BreakOffKind; reason: string; place?: LonLat | undefined },
      driverId: string,
    ): Promise<{ order: Ride }> {
      if (kind === 'other' && reason === '') throw reasonMissing();
      await transact(async (tx) => {
        const ride = await rides.lockRide(tx, id);
        if (ride === null || ride.driverId !== driverId) throw missing();
        await breakOff(
          tx,
          ride,
          { actor: 'driver', actorId: driverId },
          { kind, reason, place: place ?? null },
        );
      });
      const ride = await rides.rideById(id);
      return { order: (await rides.rideViews([ride!], driverId))[0]! };
    },

    /** An admin ends a ride in its driver's place. */
    async breakOffAsAdmin(
      { orderNumber, kind, reason }: { orderNumber: string; kind: BreakOffKind; reason: string },
      adminId: string,
    ): Promise<{ ride: BrokenRide }> {
      if (reason === '') throw reasonMissing();
      const seen = await rides.rideByNumber(orderNumber.toUpperCase());
      if (seen === null) throw missing();
      await transact(async (tx) => {
        const ride = (await rides.lockRide(tx, seen.id))!;
        await breakOff(tx, ride, { actor: 'admin', actorId: adminId }, { kind, reason, place: null });
        await audit.note(tx, {
          adminId,
          action: 'ride.brokenOff',
          personId: ride.driverId,
          thingId: ride.id,
          note: reason,
        });
      });
      return { ride: await one(seen.id) };
    },

    async listBroken(adminId: string, offset: number): Promise<OutputOf<typeof calls.listBrokenRides>> {
      const { rows, total } = await rides.broken.list({ since: since(), offset, size: pageSize });
      const views = await viewBroken(rows);
      const personIds = views.flatMap(({ driver, aboard }) => [
        driver,
        ...aboard.map((each) => each.passenger),
      ]);
      await audit.noteReading(
        adminId,
        'brokenRides',
        personIds.map((person) => person?.id ?? null),
      );
      return { rides: views, total };
    },

    /** An admin settles one share: as it was proposed, or at less with a reason. Money that waits is taken at once. */
    async settleBroken(
      { bookingId, shareCents, note }: { bookingId: string; shareCents: number; note: string },
      adminId: string,
    ): Promise<{ ride: BrokenRide }> {
      const [booking] = await rides.bookingsByIds(db, [bookingId]);
      const own =
        booking === undefined
          ? undefined
          : (await rides.broken.bookingsOf([booking.rideId])).find((each) => each.bookingId === bookingId);
      if (booking === undefined || own === undefined)
        throw notFound('booking.notFound', 'This could not be found.');
      if (shareCents > own.shareCents)
        throw refuseField(
          'broken.amountTooHigh',
          'shareCents',
          `Nobody pays for more than was ridden: at most ${dollars(own.shareCents)}.`,
          { amountCents: own.shareCents },
        );
      if (shareCents < own.shareCents && note === '')
        throw refuseField('broken.reasonMissing', 'note', 'Please enter a reason.');
      await transact(async (tx) => {
        await rides.lockRide(tx, booking.rideId);
        const decided = await rides.broken.decide(tx, bookingId, { decidedCents: shareCents, note });
        const settles =
          decided !== null &&
          (await payments.settlePartWay(tx, adminId, { bookingId, takeCents: shareCents, note }));
        if (!settles) throw movedOn('broken.settled', 'This has been settled already. Please look again.');
        await audit.note(tx, {
          adminId,
          action: 'share.settled',
          personId: booking.passengerId,
          thingId: bookingId,
          note: note === '' ? dollars(shareCents) : `${dollars(shareCents)}: ${note}`,
        });
      });
      await payments.workOn(bookingId);
      return { ride: await one(booking.rideId) };
    },
  };
}
