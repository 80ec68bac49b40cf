import { randomUUID } from 'node:crypto';
import { changeableRideStates, isAgreed } from '#contract/rides/moves.ts';
import type { Order } from '#contract/rides/views.ts';
import { isPriceTooLow, type Place } from '#contract/units.ts';
import type { Platform } from '../../../platform/platform.ts';
import { brokenConstraint, type Db } from '../../../platform/database/db.ts';
import { movedOn, notFound, refuseField } from '../../../platform/refusal.ts';
import { ceilingCents } from '../../matching/service.ts';
import type { PaymentsService } from '../../payments/service.ts';
import { bySystem } from '../moves.ts';
import type { OrderService } from '../order-service.ts';
import type { BookingRow, RideRow } from '../store.ts';
import { answerChangeBy } from './rules/change-deadline.ts';
import { payAnewBy } from './rules/deadlines.ts';
import * as store from './store.ts';

const missing = () => notFound('change.notFound', 'This proposal could not be found.');
const over = () => movedOn('change.moved', 'This proposal is over. Please look again.');
const overlaps = (field: string) =>
  refuseField(
    'order.overlap',
    field,
    'There is an existing ride at the same departure time, so choose a different time.',
  );

/**
 * Another time, price or way for those who have joined: the driver proposes, each accepts or leaves the ride free of charge.
 * It applies at the moment at which everybody still on board has accepted; until then, and without an answer in time,
 * what was agreed stands.
 */
export function createChanges(
  { db, transact, clock, outbox }: Platform,
  {
    rides,
    payments,
    pay,
  }: {
    rides: OrderService;
    payments: PaymentsService;
    /** Asks for what is due for a booking, after the transaction that wanted it. */
    pay: (bookingId: string) => Promise<void>;
  },
) {
  const { moves, settle } = rides;

  async function tell(
    tx: Db,
    change: store.ChangeRow,
    agreed: readonly BookingRow[],
    byId: string | null,
  ): Promise<void> {
    const { id, rideId, driverId, state } = change;
    const passengerIds = agreed.map(({ passengerId }) => passengerId);
    await outbox.emit(
      tx,
      'change.moved',
      { changeId: id, rideId, to: state, driverId, passengerIds, byId },
      rideId,
    );
  }

  /**
   * What is held moves with the ride. Where the change needs a hold that does not stand yet, the seat is kept until it does:
   * no one is driven on terms that nothing secures.
   */
  async function secureAnew(tx: Db, ride: RideRow): Promise<void> {
    const agreed = (await rides.bookingsOf(tx, { rideIds: [ride.id] })).filter(isAgreed);
    await payments.follow(
      tx,
      ride,
      agreed.map(({ id }) => id),
    );
    for (const booking of agreed.filter(({ state }) => state === 'joined')) {
      const hold = await payments.current(tx, booking.id);
      if (hold === null || hold.goal !== 'hold' || payments.isSecured(hold)) continue;
      const expiresAt = payAnewBy(clock.now(), ride.departsAt);
      await moves.moveBooking(tx, booking, { move: 'secureAnew', by: bySystem, expiresAt });
    }
  }

  /** Asks for the holds that an applied change needs, and lets their bookings follow. */
  async function payFor(rideId: string): Promise<void> {
    const waiting = (await rides.bookingsOf(db, { rideIds: [rideId] })).filter(
      ({ awaits }) => awaits === 'payment',
    );
    await Promise.all(waiting.map(({ id }) => pay(id)));
  }

  /**
   * @param plan of the way that is proposed; null where it stays.
   * @param byId whose answer was the last; null where the clock applies it.
   */
  async function apply(
    tx: Db,
    ride: RideRow,
    change: store.ChangeRow,
    plan: ReturnType<typeof rides.otherWay.planFor>,
    byId: string | null,
  ): Promise<void> {
    const bookings = await rides.bookingsOf(tx, { rideIds: [ride.id] });
    // Whoever asks, or has a seat kept, has not agreed to the new terms.
    const agreed = bookings.filter(isAgreed);
    const asking = bookings.filter((booking) => !isAgreed(booking));
    await settle.closeAsks(tx, asking, 'withdraw', 'changed');
    for (const booking of asking.filter(({ state }) => state === 'waiting for passenger acceptance'))
      await settle.leaveRoute(tx, (await rides.lockRide(tx, ride.id))!, booking);
    const byMs = change.departsAt.getTime() - ride.departsAt.getTime();
    if (byMs !== 0) await store.shiftRide(tx, ride.id, agreed, byMs);
    const { way, route, departsAt } = change;
    if (way !== null && plan !== null)
      await rides.otherWay.take(tx, ride.id, agreed, { way, plan, route, departsAt });
    else if (byMs !== 0) await rides.otherWay.followTraffic(tx, ride.id, agreed);
    if (change.costCents !== ride.costCents) {
      await store.setCost(tx, ride.id, change.costCents);
      for (const booking of agreed) {
        // What they were shown and have accepted, whatever they offered once.
        const fareCents = ceilingCents({ ...ride, costCents: change.costCents }, booking.seats, null);
        await store.setFare(tx, booking.id, fareCents);
        if (booking.fareCents > 0) await payments.reprice(tx, booking.id, fareCents);
        else {
          const request = (await rides.lockRequest(tx, booking.requestId))!;
          await rides.money.plan(
            tx,
            { ride, request, booking },
            { amountCents: fareCents, isPresent: false },
          );
        }
      }
    }
    const applied = await store.moveChange(tx, change.id, 'apply', clock.now());
    if (applied === null) throw over();
    const now = (await rides.lockRide(tx, ride.id))!;
    await secureAnew(tx, now);
    await moves.edited(tx, { ride: now }, { actor: 'driver', actorId: ride.driverId }, 'terms');
    await tell(tx, applied, agreed, byId);
    await settle.requests(tx, bookings);
    await settle.ride(tx, ride.id);
  }

  /** Applies a proposal that nobody on board has still to answer, and ends one that is over. */
  async function catchUp(tx: Db, rideId: string, byId: string | null): Promise<void> {
    const ride = await rides.lockRide(tx, rideId);
    const change = await store.openChangeOf(tx, rideId);
    if (ride === null || change === null) return;
    const agreed = (await rides.bookingsOf(tx, { rideIds: [rideId] })).filter(isAgreed);
    const accepted = await store.acceptedBy(tx, change.id);
    const plan = rides.otherWay.planFor(ride, agreed, change);
    const canStand = changeableRideStates.includes(ride.state) && (change.way === null || plan !== null);
    if (canStand && agreed.every(({ id }) => accepted.has(id))) return apply(tx, ride, change, plan, byId);
    if (change.expiresAt > clock.now() && canStand) return;
    const lapsed = await store.moveChange(tx, change.id, 'lapse', clock.now());
    if (lapsed !== null) await tell(tx, lapsed, agreed, null);
  }

  /** The same; where somebody has planned another ride meanwhile, it cannot apply any more and lapses. */
  async function settleChange(tx: Db, rideId: string, byId: string | null): Promise<void> {
    try {
      await tx.transaction((inner) => catchUp(inner, rideId, byId));
    } catch (error) {
      if (brokenConstraint(error) !== 'order_spans_no_overlap') throw error;
      const change = await store.openChangeOf(tx, rideId);
      const lapsed = change === null ? null : await store.moveChange(tx, change.id, 'lapse', clock.now());
      if (lapsed === null) return;
      const bookings = await rides.bookingsOf(tx, { rideIds: [rideId] });
      await tell(tx, lapsed, bookings.filter(isAgreed), null);
    }
  }

  async function answerAsPassenger(
    change: store.ChangeRow,
    passengerId: string,
    accepts: boolean,
  ): Promise<string> {
    const own = (await rides.bookingsOf(db, { rideIds: [change.rideId] })).find(
      (booking) => booking.passengerId === passengerId && isAgreed(booking),
    );
    if (own === undefined) throw missing();
    await transact(async (tx) => {
      const ride = (await rides.lockRide(tx, change.rideId))!;
      const open = await store.openChangeOf(tx, ride.id);
      const booking = (await rides.bookingsOf(tx, { rideIds: [ride.id] })).find(({ id }) => id === own.id)!;
      const answered = (await store.acceptedBy(tx, change.id)).has(own.id);
      if (open?.id !== change.id || open.expiresAt <= clock.now() || !isAgreed(booking) || answered)
        throw over();
      const at = clock.now();
      await store.saveAnswer(tx, {
        proposalId: change.id,
        bookingId: own.id,
        passengerId,
        accepted: accepts,
        at,
      });
      if (accepts) {
        const byMs = open.departsAt.getTime() - ride.departsAt.getTime();
        const request = (await rides.lockRequest(tx, own.requestId))!;
        const span = rides.otherWay.spanOf(request, booking, byMs, open);
        const isFree =
          span === null
            ? await store.isFreeAfter(tx, own.requestId, byMs)
            : await rides.isFreeFor(tx, { id: own.requestId, personId: passengerId }, span);
        if (!isFree) throw overlaps('changeId');
        await tell(tx, open, [booking], passengerId);
      } else {
        // It was the driver who wanted other terms: nothing is owed, and the passenger looks for another ride.
        const moved = await moves.moveBooking(tx, booking, {
          move: booking.state === 'joined' ? 'cancel' : 'declineInvitation',
          by: { actor: 'passenger', actorId: passengerId },
          set: { fault: 'driver', reason: 'changeDeclined', endedAt: at },
          note: 'changeDeclined',
        });
        await settle.leaveRoute(tx, ride, moved);
        await settle.booking(tx, moved);
      }
      await settleChange(tx, ride.id, passengerId);
    });
    await payFor(change.rideId);
    return accepts ? change.rideId : own.requestId;
  }

  return {
    /** Proposes another time, price or way to those on board; one that was open is taken back. */
    async propose(
      driverId: string,
      input: {
        id: string;
        departsAt: string;
        costCents: number;
        /** Left out, or null, where the way stays. */
        way?: { from: Place; via: Place[]; to: Place } | null;
        note: string;
      },
    ): Promise<{ order: Order }> {
      const departsAt = new Date(input.departsAt);
      await transact(async (tx) => {
        const ride = await rides.lockRide(tx, input.id);
        if (ride === null || ride.driverId !== driverId)
          throw notFound('order.notFound', 'This ride could not be found.');
        const agreed = (await rides.bookingsOf(tx, { rideIds: [ride.id] })).filter(isAgreed);
        if (!changeableRideStates.includes(ride.state))
          throw movedOn('order.moved', 'This ride has moved on. Please look again.');
        if (agreed.length === 0)
          throw movedOn('change.nobody', 'Nobody has joined yet: you can edit the ride itself.');
        const way = input.way == null || rides.isSameWay(ride, input.way) ? null : input.way;
        if (
          departsAt.getTime() === ride.departsAt.getTime() &&
          input.costCents === ride.costCents &&
          way === null
        )
          throw refuseField('change.nothing', 'departsAt', 'Please enter another time, price or way.');
        rides.checkTime(departsAt, 'departsAt');
        if (isPriceTooLow(input.costCents))
          throw refuseField(
            'order.priceTooLow',
            'costCents',
            'Please ask for at least $0.50, or make the ride free.',
          );
        if (input.costCents > 0 && ride.vehicleId === null)
          throw refuseField('order.vehicleMissing', 'costCents', 'Please add a vehicle first.');
        await rides.checkAccount(tx, driverId, input.costCents, 'costCents');
        for (const { seats } of agreed)
          rides.checkAmount(ceilingCents({ ...ride, costCents: input.costCents }, seats, null), 'costCents');
        const expiresAt = answerChangeBy(clock.now(), [ride.departsAt, departsAt]);
        if (expiresAt === null)
          throw movedOn('change.tooLate', 'There is no time left for the others to answer before departure.');
        const anew = way === null ? null : await rides.otherWay.propose(tx, ride, agreed, { way, departsAt });
        const isFree =
          anew === null
            ? await store.isFreeAfter(tx, ride.id, departsAt.getTime() - ride.departsAt.getTime())
            : await rides.isFreeFor(tx, { id: ride.id, personId: driverId }, anew.span);
        if (!isFree) throw overlaps('departsAt');
        const before = await store.openChangeOf(tx, ride.id);
        if (before !== null) await store.moveChange(tx, before.id, 'withdraw', clock.now());
        const change = await store.insertChange(tx, {
          id: randomUUID(),
          rideId: ride.id,
          driverId,
          state: 'open',
          departsAt,
          costCents: input.costCents,
          way: anew?.way ?? null,
          route: anew?.route ?? null,
          note: input.note,
          createdAt: clock.now(),
          expiresAt,
        });
        await tell(tx, change, agreed, driverId);
        const passengerIds = agreed.map(({ passengerId }) => passengerId);
        const proposed = { changeId: change.id, rideId: ride.id, driverId, passengerIds };
        await outbox.emit(tx, 'change.proposed', proposed, ride.id);
      });
      return { order: await rides.view(input.id, driverId) };
    },

    /** A passenger accepts, or leaves the ride free of charge; the driver (`accept: false`) takes the proposal back. */
    async answer(personId: string, input: { changeId: string; accept: boolean }): Promise<{ order: Order }> {
      const change = await store.changeById(db, input.changeId);
      if (change === null) throw missing();
      if (change.driverId !== personId)
        return {
          order: await rides.view(await answerAsPassenger(change, personId, input.accept), personId),
        };
      if (input.accept) throw missing();
      await transact(async (tx) => {
        await rides.lockRide(tx, change.rideId);
        const withdrawn = await store.moveChange(tx, change.id, 'withdraw', clock.now());
        if (withdrawn === null) throw over();
        const agreed = (await rides.bookingsOf(tx, { rideIds: [change.rideId] })).filter(isAgreed);
        await tell(tx, withdrawn, agreed, personId);
      });
      return { order: await rides.view(change.rideId, personId) };
    },

    /** By the clock: ends proposals that are over, and applies those of which the last one asked has left. */
    async changesDue(): Promise<void> {
      for (const { rideId } of await store.changesDue(db, clock.now())) {
        await transact((tx) => settleChange(tx, rideId, null));
        await payFor(rideId);
      }
    },
  };
}
