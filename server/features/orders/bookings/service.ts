import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { OutputOf } from '#contract/define.ts';
import type { BookingPayment } from '#contract/payments/views.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import { endedRideStates, openAskStates, seatedStates, type BookingState } from '#contract/rides/moves.ts';
import type { Order } from '#contract/rides/views.ts';
import type { Platform } from '../../../platform/platform.ts';
import { hourMs, later } from '../../../platform/clock.ts';
import { brokenConstraint, type Db } from '../../../platform/database/db.ts';
import { movedOn, notFound, Refusal, refuseField } from '../../../platform/refusal.ts';
import {
  agreedSpot,
  ceilingCents,
  withBooking,
  type MatchingService,
  type Spot,
} from '../../matching/service.ts';
import { needOf, type PaymentsService } from '../../payments/service.ts';
import { bookedPlace } from '../booked-place.ts';
import { bySystem, type By } from '../moves.ts';
import type { OrderService } from '../order-service.ts';
import { mayMoveRide } from '../rules/may.ts';
import type { BookingRow, RequestRow, RideRow } from '../store.ts';
import { rideFacts } from '../view.ts';
import { createChanges } from './changes.ts';
import { answerBy, hoursAhead, payBy, payAnewBy } from './rules/deadlines.ts';
import { createSeenFees, type SeenFee } from './seen-fee.ts';
import { isAnotherWayOpen } from './store.ts';

export type BookingsService = ReturnType<typeof createBookings>;

/** So long somebody waits for the card provider before they are told that it goes on without them. */
const answerWithinMs = 10_000;

const openRideStates: readonly RideRow['state'][] = ['matching', 'waiting'];
const waitableStates: readonly RideRow['state'][] = ['matching', 'full', 'waiting'];
const openRequestStates: readonly RequestRow['state'][] = ['matching', 'requesting', 'inviting'];
const noFit = () => movedOn('match.noFit', 'This ride no longer fits. Please look at the others.');
const is = (states: readonly BookingState[], booking: BookingRow) => states.includes(booking.state);

/** How a passenger and a driver come together and part again before the ride: ask, invite, answer, withdraw, cancel. */
export function createBookings(
  platform: Platform,
  features: { rides: OrderService; matching: MatchingService; payments: PaymentsService },
) {
  const { rides, matching, payments } = features;
  const { db, transact, clock, env, log, outbox } = platform;
  const { moves, settle } = rides;
  /** Those who want the same ride wait in this process, without a connection each. */
  const onRide = (rideId: string, work: (tx: Db) => Promise<void>) => transact(work, rideId);
  const seenFees = createSeenFees(platform);

  const isKept = (booking: BookingRow) => booking.state === 'waiting for passenger acceptance';

  function checkOpen(ride: RideRow, keptSeat = false): void {
    if (keptSeat && ride.state === 'full' && clock.now() < ride.latestDepartsAt) return;
    if (ride.state === 'full') throw movedOn('ride.full', 'This ride is full.');
    if (!openRideStates.includes(ride.state) || clock.now() >= ride.latestDepartsAt) {
      throw movedOn('ride.closed', 'Nobody can join this ride any more.');
    }
  }

  function checkWaiting(request: RequestRow): void {
    if (!openRequestStates.includes(request.state))
      throw movedOn('request.closed', 'This request is no longer waiting for a ride.');
  }

  /** The fit of the two as they stand in `tx`. Refuses `ride.full` when only seats are missing, else `match.noFit`. */
  async function fitNow(
    tx: Db,
    ride: RideRow,
    request: RequestRow,
    agreed?: { pickup: Spot; dropoff: Spot },
  ) {
    const fit = await matching.fit(tx, ride, request, agreed);
    if (fit !== null) {
      if (await rides.haveTimeFor(tx, ride, request, fit)) return fit;
      throw noFit();
    }
    const withRoom = await matching.fit(tx, { ...ride, seats: Number.MAX_SAFE_INTEGER }, request, agreed);
    if (withRoom !== null) throw movedOn('ride.full', 'This ride is full.');
    throw noFit();
  }

  /** A ride and a request of two people who may know of both, one of them the caller. Refuses what is not theirs. */
  async function pairOf(
    side: 'driver' | 'passenger',
    personId: string,
    ids: { rideId: string; requestId: string },
  ): Promise<{ ride: RideRow; request: RequestRow }> {
    const [ride, request] = await Promise.all([rides.rideById(ids.rideId), rides.requestById(ids.requestId)]);
    const own = side === 'passenger' ? request?.passengerId : ride?.driverId;
    if (ride === null || request === null || own !== personId)
      throw notFound('order.notFound', 'This ride could not be found.');
    if (ride.driverId === request.passengerId) throw new Refusal('order.ownRide', 'This is your own ride.');
    if (!(await matching.seeEachOther(ride.id, request.id)))
      throw notFound('order.notFound', 'This ride could not be found.');
    return { ride, request };
  }

  /** Refuses a paid ride to a passenger after a chargeback, until an admin has looked at it. */
  async function checkMayPay(tx: Db, passengerId: string, { actor }: By): Promise<void> {
    if (!payments.terms.takesCards)
      throw movedOn('payment.off', 'No card payments are taken here, so this ride cannot be joined.');
    if (!(await payments.isBlocked(tx, passengerId))) return;
    throw actor === 'passenger'
      ? movedOn(
          'payment.blocked',
          'Your bank objects to a payment of yours. Until that is settled you cannot join paid rides. Please write to us.',
        )
      : movedOn('payment.passengerBlocked', 'This passenger cannot pay by card at the moment.');
  }

  async function open(
    move: 'ask' | 'invite',
    personId: string,
    input: { rideId: string; requestId: string; message: string },
  ): Promise<void> {
    const { ride, request } = await pairOf(move === 'ask' ? 'passenger' : 'driver', personId, input);
    if (move === 'ask' && ride.costCents > 0 && (await payments.owesSomething(personId)))
      throw movedOn(
        'payment.owed',
        'Something you owe could not be taken from your card. Please pay it first.',
      );
    const by: By = { actor: move === 'ask' ? 'passenger' : 'driver', actorId: personId };
    if (ride.costCents > 0) await checkMayPay(db, request.passengerId, by);
    await onRide(ride.id, async (tx) => {
      const lockedRide = (await rides.lockRide(tx, ride.id, [request.id]))!;
      checkOpen(lockedRide);
      const lockedRequest = (await rides.lockRequest(tx, request.id))!;
      checkWaiting(lockedRequest);
      const { insertion } = await fitNow(tx, lockedRide, lockedRequest);
      const fareCents = ceilingCents(lockedRide, request.seats, request.offerCents);
      if (fareCents > env.MAX_TRANSACTION_CENTS) {
        throw refuseField(
          'order.amountTooHigh',
          'rideId',
          `The maximum transaction amount allowed is $${env.MAX_TRANSACTION_CENTS / 100}.`,
          { amountCents: env.MAX_TRANSACTION_CENTS },
        );
      }
      try {
        // In a savepoint, so that the refusal of a second open booking leaves the transaction usable.
        const booking = await tx.transaction((inner) =>
          moves.openBooking(
            inner,
            move,
            {
              id: randomUUID(),
              ...bookedPlace(ride, request, insertion, fareCents),
              startedBy: by.actor === 'driver' ? 'driver' : 'passenger',
              message: input.message,
              expiresAt: answerBy(move, clock.now(), lockedRide.latestDepartsAt),
              createdAt: clock.now(),
            },
            by,
          ),
        );
        await rides.stopWaiting(tx, { rideId: ride.id, requestId: request.id });
        await settle.booking(tx, booking);
        if (move === 'ask' && lockedRide.instant) await join(tx, await locked(tx, booking), by, 'joinAtOnce');
      } catch (error) {
        if (brokenConstraint(error) !== 'bookings_open_pair') throw error;
        throw movedOn('booking.exists', 'You have already asked. Please wait for the answer.');
      }
    });
  }

  /** Locks a booking with its ride and request, in that order, and hands over their newest state. */
  async function locked(
    tx: Db,
    booking: BookingRow,
  ): Promise<{ ride: RideRow; request: RequestRow; booking: BookingRow }> {
    const ride = await rides.lockRide(tx, booking.rideId, [booking.requestId]);
    const request = await rides.lockRequest(tx, booking.requestId);
    const now = (await rides.bookingsOf(tx, { requestIds: [booking.requestId] })).find(
      ({ id }) => id === booking.id,
    );
    if (ride === null || request === null || now === undefined)
      throw notFound('booking.notFound', 'This could not be found.');
    return { ride, request, booking: now };
  }

  /**
   * Puts the passenger on the route and takes the seats. Where the ride is paid and the payment is not sure yet, the seats
   * are kept for the passenger until it is (`paymentMoved`), for a while.
   */
  async function join(
    tx: Db,
    things: { ride: RideRow; request: RequestRow; booking: BookingRow },
    by: By,
    move: 'accept' | 'acceptInvitation' | 'joinAtOnce',
  ): Promise<void> {
    const { ride, request, booking } = things;
    checkOpen(ride, isKept(booking));
    checkWaiting(request);
    if (await matching.blockBetween(tx, ride.driverId, request.passengerId))
      throw notFound('booking.notFound', 'This could not be found.');
    // Their orders are taken back after the suspension; no one comes on board meanwhile.
    if (!(await matching.bothActive(tx, ride.driverId, request.passengerId)))
      throw by.actor === 'driver'
        ? movedOn('request.closed', 'This request is no longer waiting for a ride.')
        : movedOn('ride.closed', 'Nobody can join this ride any more.');
    const { fareCents } = booking;
    if (fareCents > 0) await checkMayPay(tx, request.passengerId, by);
    // Who comes on board now would not have been asked.
    if (await isAnotherWayOpen(tx, ride.id))
      throw movedOn(
        'ride.changing',
        'Another way is proposed for this ride. Please try again once everybody on board has answered.',
      );
    // Whose seat is kept for want of a payment says nothing here: it is paid.
    if (booking.awaits === 'payment') throw movedOn('booking.moved', 'This has moved on. Please look again.');
    const isSure = await rides.money.plan(tx, things, {
      amountCents: fareCents,
      isPresent: by.actor === 'passenger',
    });
    const [how, set] = isSure
      ? ([move, { joinedAt: clock.now(), expiresAt: null }] as const)
      : ([
          'agree',
          {
            awaits: 'payment',
            expiresAt: payBy(clock.now(), ride.latestDepartsAt, env.PAYMENT_WAIT_MINUTES),
          },
        ] as const);
    if (isKept(booking)) {
      // Its seat is taken and its stops stand on the route since it was offered.
      const moved = await moves.moveBooking(tx, booking, how, by, set);
      if (!(await rides.followPlan(tx, ride.id))) throw noFit();
      await settle.booking(tx, moved);
      return;
    }
    // Where to meet was agreed when one asked the other: it does not move now.
    const { plan, wish, insertion } = await fitNow(tx, ride, request, {
      pickup: agreedSpot(booking, 'pickup'),
      dropoff: agreedSpot(booking, 'dropoff'),
    });
    const { detourMs, detourMetres } = insertion;
    const moved = await moves.moveBooking(tx, booking, how, by, { ...set, detourMs, detourMetres });
    await rides.savePlan(tx, ride.id, withBooking(plan, { ...wish, seats: 0 }, insertion, booking.id));
    if (!(await rides.claimSeats(tx, ride.id, booking.id, booking.seats)))
      throw movedOn('ride.full', 'This ride is full.');
    // The others on board get out later now, and may have something else to do then.
    if (!(await rides.followPlan(tx, ride.id))) throw noFit();
    await settle.booking(tx, moved);
  }

  /** A booking's payment stands otherwise: a kept seat is taken once it is sure; one that fails beforehand is kept for a while. */
  async function paymentMoved(bookingId: string): Promise<void> {
    const [seen] = await rides.bookingsByIds(db, [bookingId]);
    if (seen === undefined) return;
    await onRide(seen.rideId, async (tx) => {
      const { ride, booking } = await locked(tx, seen);
      const hold = await payments.current(tx, bookingId);
      if (hold === null || endedRideStates.includes(ride.state)) return;
      const now = clock.now();
      if (
        booking.awaits === 'payment' &&
        payments.isSecured(hold) &&
        (await matching.bothActive(tx, ride.driverId, booking.passengerId))
      ) {
        const set = { joinedAt: booking.joinedAt ?? now, expiresAt: null };
        const moved = await moves.moveBooking(tx, booking, 'pay', bySystem, set);
        await settle.booking(tx, moved);
      } else if (booking.state === 'joined' && hold.goal === 'hold' && needOf(hold) !== null) {
        const set = { awaits: 'payment', expiresAt: payAnewBy(now, ride.departsAt) } as const;
        await settle.booking(tx, await moves.moveBooking(tx, booking, 'holdFailed', bySystem, set));
      }
    });
  }

  /**
   * Asks the card provider what is due for a booking, and lets the booking follow. Nobody waits long for a slow provider:
   * then the seat is kept, and the booking follows when the answer is there.
   */
  async function pay(bookingId: string): Promise<void> {
    const asking = payments
      .workOn(bookingId)
      .catch((error: unknown) => log.error({ err: error, bookingId }, 'a payment failed'));
    await Promise.race([asking, pause(answerWithinMs, undefined, { ref: false })]);
    await paymentMoved(bookingId);
  }

  /** What a passenger who has joined owes for canceling at an instant. */
  const feeOf = (ride: RideRow, { joinedAt }: BookingRow, fareCents: number, at: Date) =>
    payments.cancelFee({ fareCents, joinedAt, departsAt: ride.departsAt }, at);

  /**
   * The fee that a passenger who cancels now has agreed to: the one they were shown within the last two minutes, where the
   * same terms still give it. Refuses `order.feeChanged` where something would be taken that they were not shown.
   */
  async function agreedFee(
    tx: Db,
    ride: RideRow,
    booking: BookingRow,
    seen: SeenFee | null,
  ): Promise<number> {
    const fareCents = await rides.money.priceOf(tx, ride, booking);
    if (seen !== null && feeOf(ride, booking, fareCents, seen.at).cents === seen.feeCents)
      return seen.feeCents;
    if (feeOf(ride, booking, fareCents, clock.now()).cents === 0) return 0;
    throw movedOn('order.feeChanged', 'What cancelling costs has changed. Please look at the new amount.');
  }

  /** Ends a joined booking before the passenger is on board. @param lateFeeCents what its passenger owes for it. */
  async function endJoined(
    tx: Db,
    { ride, booking, lateFeeCents }: { ride: RideRow; booking: BookingRow; lateFeeCents: number },
    by: By,
    reason: string,
  ): Promise<void> {
    // Both sides are asked whether they rode: until then no one owes a fee for a day that the server did not see.
    if (booking.unclearAt !== null)
      throw movedOn('booking.moved', 'Please say first whether this ride took place.');
    const fault = by.actor === 'passenger' ? 'passenger' : 'driver';
    const set = { fault, reason, lateFeeCents, endedAt: clock.now() } as const;
    const moved = await moves.moveBooking(tx, booking, 'cancel', by, set, reason);
    await settle.leaveRoute(tx, ride, moved);
  }

  const isOnRoute = async (tx: Db, booking: BookingRow) =>
    (await rides.stopsOf(tx, [booking.rideId])).some((stop) => stop.bookingId === booking.id);

  /** The pages of both read the waitlist again. */
  const tellOf = (tx: Db, ride: RideRow, request: RequestRow) =>
    outbox.emit(
      tx,
      'waitlist.changed',
      { rideId: ride.id, driverId: ride.driverId, requestId: request.id, passengerId: request.passengerId },
      ride.id,
    );

  async function cancelRide(rideId: string, driverId: string, reason: string): Promise<void> {
    await onRide(rideId, async (tx) => {
      const ride = await rides.lockRide(tx, rideId);
      if (ride === null || ride.driverId !== driverId)
        throw notFound('order.notFound', 'This ride could not be found.');
      const bookings = await rides.bookingsOf(tx, { rideIds: [rideId] });
      const facts = rideFacts(ride, await rides.stopsOf(tx, [rideId]), bookings);
      if (!mayMoveRide(facts, clock.now()).includes('cancel'))
        throw movedOn('order.moved', 'This ride has moved on. Please look again.');
      const joined = bookings.filter((booking) => is(seatedStates, booking));
      if (joined.length > 0 && reason === '')
        throw refuseField(
          'order.reasonMissing',
          'reason',
          'Please enter a reason for those who have joined.',
        );
      const by: By = { actor: 'driver', actorId: driverId };
      await moves.moveRide(tx, ride, 'cancel', by, { endedAt: clock.now() }, reason);
      await settle.closeAsks(tx, bookings, 'withdraw', reason);
      for (const booking of joined) {
        // A meeting that one side has confirmed is undone first: nobody is on board yet.
        const met =
          booking.state === 'picking'
            ? await moves.moveBooking(tx, booking, 'undoMeet', by, { metBy: null })
            : booking;
        await moves.moveBooking(
          tx,
          met,
          'cancel',
          by,
          { fault: 'driver', reason, endedAt: clock.now() },
          reason,
        );
      }
      await rides.freeSpan(tx, rideId);
      await settle.requests(tx, bookings);
    });
  }

  /** @param seen what its passenger brings back of a preview; null where the app takes the request back, at no cost. */
  async function cancelRequest(
    requestId: string,
    passengerId: string,
    { reason, seen }: { reason: string; seen: string | null },
  ): Promise<void> {
    const bookings = await rides.bookingsOf(db, { requestIds: [requestId] });
    const joined = bookings.find((booking) => is(seatedStates, booking));
    const by: By = { actor: 'passenger', actorId: passengerId };
    const fee =
      joined === undefined || seen === null ? null : await seenFees.read(seen, passengerId, joined.id);
    await transact(async (tx) => {
      const ride = joined === undefined ? null : await rides.lockRide(tx, joined.rideId, [requestId]);
      const request = await rides.lockRequest(tx, requestId);
      if (request === null || request.passengerId !== passengerId)
        throw notFound('order.notFound', 'This ride could not be found.');
      const now = await rides.bookingsOf(tx, { requestIds: [requestId] });
      const seated = now.find((booking) => is(seatedStates, booking));
      // Somebody joined between the two looks: the ride must be locked first, so the person is asked to look again.
      if (seated?.id !== joined?.id)
        throw movedOn('order.moved', 'This request has moved on. Please look again.');
      if (seated !== undefined && ride !== null) {
        const lateFeeCents = seen === null ? 0 : await agreedFee(tx, ride, seated, fee);
        await endJoined(tx, { ride, booking: seated, lateFeeCents }, by, reason);
        await settle.booking(tx, seated);
        return;
      }
      for (const booking of now.filter((each) => is(openAskStates, each))) {
        if (booking.state === 'requesting')
          await moves.moveBooking(tx, booking, 'withdraw', by, { endedAt: clock.now(), expiresAt: null });
        else
          await moves.moveBooking(tx, booking, 'declineInvitation', by, {
            endedAt: clock.now(),
            expiresAt: null,
          });
      }
      await moves.moveRequest(tx, request, 'cancel', by, { endedAt: clock.now() });
      await rides.freeSpan(tx, requestId);
    });
  }

  /** What canceling an order would mean now: who is told, what it costs, and whether it counts against a driver. */
  async function cancelPreview(id: string, personId: string): Promise<OutputOf<typeof calls.cancelPreview>> {
    const order = await rides.view(id, personId);
    if (!order.mine) throw notFound('order.notFound', 'This ride could not be found.');
    const now = clock.now();
    const isSeated = ({ state }: { state: BookingState }) => seatedStates.includes(state);
    const joined = order.bookings.filter(isSeated);
    const [own] =
      order.role === 'passenger'
        ? await rides.bookingsByIds(
            db,
            joined.map((booking) => booking.id),
          )
        : [];
    const ride = own === undefined ? null : await rides.rideById(own.rideId);
    const departsAt =
      ride?.departsAt ?? new Date(order.role === 'driver' ? order.departsAt : order.earliestAt);
    const withinHours = hoursAhead(now, departsAt, [
      env.CANCEL_LATE_HOURS,
      order.role === 'driver' ? env.STRIKE_WITHIN_HOURS : env.CANCEL_FREE_HOURS,
    ]);
    const fareCents = own === undefined || ride === null ? 0 : await rides.money.priceOf(db, ride, own);
    const fee = own === undefined || ride === null ? null : feeOf(ride, own, fareCents, now);
    return {
      may: (order.may as readonly string[]).includes('cancel'),
      feeCents: fee?.cents ?? 0,
      fareCents,
      percent: fee?.percent ?? 0,
      isGrace: fee?.isGrace ?? false,
      joined: joined.length,
      withinHours,
      strike:
        order.role === 'driver' &&
        joined.length > 0 &&
        now >= later(departsAt, -env.STRIKE_WITHIN_HOURS * hourMs),
      seen:
        own === undefined || fee === null
          ? ''
          : await seenFees.sign({ feeCents: fee.cents, at: now }, personId, own.id),
    };
  }

  async function cancelPlace(
    bookingId: string,
    personId: string,
    { reason, seen }: { reason: string; seen: string },
  ): Promise<void> {
    const { booking, side } = await rides.ownBooking(bookingId, personId);
    if (side === 'driver' && reason === '')
      throw refuseField('order.reasonMissing', 'reason', 'Please enter a reason.');
    const fee = side === 'passenger' ? await seenFees.read(seen, personId, bookingId) : null;
    await onRide(booking.rideId, async (tx) => {
      const { ride, booking: now } = await locked(tx, booking);
      const lateFeeCents = side === 'passenger' ? await agreedFee(tx, ride, now, fee) : 0;
      const by: By = { actor: side, actorId: personId };
      await endJoined(tx, { ride, booking: now, lateFeeCents }, by, reason);
      await settle.booking(tx, now);
    });
  }

  return {
    ...createChanges(platform, { rides, payments, pay }),

    /** A passenger asks to join with their request. Refuses what does not fit, is full, closed or asked already. */
    async ask(passengerId: string, input: { rideId: string; requestId: string; message: string }) {
      await open('ask', passengerId, input);
      for (const { id, awaits } of await rides.bookingsOf(db, { requestIds: [input.requestId] }))
        if (awaits === 'payment') await pay(id);
      const request = await rides.requestById(input.requestId);
      return { order: (await rides.requestViews([request!], passengerId))[0]! };
    },

    /** A passenger waits for a seat of a ride that would fit, had it one. Refuses `ride.hasRoom` where it has. */
    async wait(passengerId: string, ids: { rideId: string; requestId: string }): Promise<{ order: Order }> {
      const { ride, request } = await pairOf('passenger', passengerId, ids);
      await onRide(ride.id, async (tx) => {
        const lockedRide = (await rides.lockRide(tx, ride.id, [request.id]))!;
        if (!waitableStates.includes(lockedRide.state) || clock.now() >= lockedRide.departsAt)
          throw movedOn('ride.closed', 'Nobody can join this ride any more.');
        checkWaiting((await rides.lockRequest(tx, request.id))!);
        const open = (await rides.bookingsOf(tx, { requestIds: [request.id] })).some(
          (booking) => booking.rideId === ride.id && is(openAskStates, booking),
        );
        if (open) throw movedOn('booking.exists', 'You have already asked. Please wait for the answer.');
        if ((await matching.fit(tx, lockedRide, request)) !== null)
          throw movedOn('ride.hasRoom', 'There is room in this ride. Please ask to join.');
        const withRoom = { ...lockedRide, seats: Number.MAX_SAFE_INTEGER };
        if (request.seats > lockedRide.seats || (await matching.fit(tx, withRoom, request)) === null)
          throw noFit();
        const { id: requestId } = request;
        await rides.startWaiting(tx, { rideId: ride.id, requestId, passengerId, createdAt: clock.now() });
        await tellOf(tx, ride, request);
      });
      return { order: await rides.view(request.id, passengerId) };
    },

    /** A passenger waits no longer, or the driver takes them off the list. Nothing where they do not wait. */
    async stopWaiting(
      personId: string,
      ids: { rideId: string; requestId: string },
    ): Promise<{ order: Order }> {
      const [ride, request] = await Promise.all([
        rides.rideById(ids.rideId),
        rides.requestById(ids.requestId),
      ]);
      if (
        ride === null ||
        request === null ||
        (ride.driverId !== personId && request.passengerId !== personId)
      )
        throw notFound('order.notFound', 'This ride could not be found.');
      await onRide(ride.id, async (tx) => {
        await rides.lockRide(tx, ride.id);
        const { rideId, requestId } = ids;
        if (await rides.stopWaiting(tx, { rideId, requestId })) await tellOf(tx, ride, request);
      });
      return { order: await rides.view(ride.driverId === personId ? ride.id : request.id, personId) };
    },

    /** Frees the seat that was kept for a booking which has ended, where it is still kept, and offers it to the next. */
    async freeKeptSeat(bookingId: string): Promise<void> {
      const [seen] = await rides.bookingsByIds(db, [bookingId]);
      if (seen === undefined || !(await isOnRoute(db, seen))) return;
      await onRide(seen.rideId, async (tx) => {
        const { ride, booking } = await locked(tx, seen);
        if (
          endedRideStates.includes(ride.state) ||
          booking.endedAt === null ||
          !(await isOnRoute(tx, booking))
        )
          return;
        await settle.leaveRoute(tx, ride, booking);
        await settle.ride(tx, ride.id);
      });
    },

    /** A driver invites the passenger of a waiting request. */
    async invite(driverId: string, input: { rideId: string; requestId: string; message: string }) {
      await open('invite', driverId, input);
      const ride = await rides.rideById(input.rideId);
      return { order: (await rides.rideViews([ride!], driverId))[0]! };
    },

    /** The driver takes an asking passenger along, or the invited passenger comes along: the seats are claimed. */
    async accept(bookingId: string, personId: string) {
      const { booking, side } = await rides.ownBooking(bookingId, personId);
      const move = side === 'driver' ? 'accept' : 'acceptInvitation';
      await onRide(booking.rideId, async (tx) =>
        join(tx, await locked(tx, booking), { actor: side, actorId: personId }, move),
      );
      await pay(bookingId);
      return { booking: await rides.bookingView(bookingId, personId) };
    },

    paymentMoved,

    /** The passenger pays for their booking, or tries again. */
    async authorize(
      passengerId: string,
      input: { bookingId: string; methodId?: string | undefined },
    ): Promise<BookingPayment> {
      const { side } = await rides.ownBooking(input.bookingId, passengerId);
      if (side !== 'passenger') throw notFound('booking.notFound', 'This could not be found.');
      try {
        await payments.authorize(passengerId, input);
      } finally {
        await paymentMoved(input.bookingId);
      }
      const { payment } = await rides.bookingView(input.bookingId, passengerId);
      if (payment === null) throw movedOn('payment.notDue', 'There is nothing to pay any more.');
      return payment;
    },

    /** The driver says no to an ask, with a reason, or the passenger to an invitation. */
    async reject(bookingId: string, personId: string, reason: string) {
      const { booking, side } = await rides.ownBooking(bookingId, personId);
      if (side === 'driver' && reason === '')
        throw refuseField('booking.reasonMissing', 'reason', 'Please enter a reason.');
      await onRide(booking.rideId, async (tx) => {
        const things = await locked(tx, booking);
        const by: By = { actor: side, actorId: personId };
        const set = { reason, endedAt: clock.now(), expiresAt: null };
        const moved = await moves.moveBooking(
          tx,
          things.booking,
          side === 'driver' ? 'reject' : 'declineInvitation',
          by,
          set,
          reason,
        );
        if (isKept(things.booking)) await settle.leaveRoute(tx, things.ride, moved);
        await settle.booking(tx, moved);
      });
      return { booking: await rides.bookingView(bookingId, personId) };
    },

    /** Takes back one's own ask or invitation. */
    async withdraw(bookingId: string, personId: string) {
      const { booking, side } = await rides.ownBooking(bookingId, personId);
      await onRide(booking.rideId, async (tx) => {
        const things = await locked(tx, booking);
        const by: By = { actor: side, actorId: personId };
        const move = side === 'passenger' ? 'withdraw' : 'withdrawInvitation';
        const moved = await moves.moveBooking(tx, things.booking, move, by, {
          endedAt: clock.now(),
          expiresAt: null,
        });
        if (isKept(things.booking)) await settle.leaveRoute(tx, things.ride, moved);
        await settle.booking(tx, moved);
      });
      return { booking: await rides.bookingView(bookingId, personId) };
    },

    cancelPreview,

    /**
     * Cancels one's ride or request, or (as driver) one passenger's place in it. Refuses `order.feeChanged`, with the new
     * preview, where a fee would be taken that the passenger was not shown within the last two minutes (`seen`).
     */
    async cancel(
      personId: string,
      input: { id: string; bookingId?: string | undefined; reason: string; seen?: string | undefined },
    ): Promise<{ order: Order }> {
      const { id, bookingId, reason, seen = '' } = input;
      const order = await rides.view(id, personId);
      if (!order.mine) throw notFound('order.notFound', 'This ride could not be found.');
      try {
        if (bookingId !== undefined) await cancelPlace(bookingId, personId, { reason, seen });
        else if (order.role === 'driver') await cancelRide(order.id, personId, reason);
        else await cancelRequest(order.id, personId, { reason, seen });
      } catch (error) {
        if (!(error instanceof Refusal) || error.reason !== 'order.feeChanged') throw error;
        throw movedOn(error.reason, error.message, { preview: await cancelPreview(id, personId) });
      }
      return { order: await rides.view(id, personId) };
    },

    /** Takes back an order of a person who may not ride any more: no one pays a fee for what the app has decided. */
    async takeBack(personId: string, id: string, reason: string): Promise<void> {
      const { role } = await rides.view(id, personId);
      if (role === 'driver') await cancelRide(id, personId, reason);
      else await cancelRequest(id, personId, { reason, seen: null });
    },

    /** Ends an ask or invitation whose time for an answer is over. */
    async expire(bookingId: string): Promise<void> {
      await transact(async (tx) => {
        const [booking] = await rides.bookingsByIds(tx, [bookingId]);
        if (booking === undefined) return;
        const things = await locked(tx, booking);
        const over = things.booking.expiresAt !== null && things.booking.expiresAt <= clock.now();
        if (!over || !is(openAskStates, things.booking)) return;
        const moved = await moves.moveBooking(tx, things.booking, 'expire', bySystem, {
          endedAt: clock.now(),
          expiresAt: null,
        });
        if (isKept(things.booking)) await settle.leaveRoute(tx, things.ride, moved);
        await settle.booking(tx, moved);
      });
    },

    /** Ends asks and invitations that wait between two people, of whom one has blocked the other. */
    async part(a: string, b: string): Promise<void> {
      for (const each of await rides.openAsksBetween(a, b)) {
        await transact(async (tx) => {
          const { booking } = await locked(tx, each);
          await settle.closeAsks(tx, [booking], 'withdraw', '');
          await settle.booking(tx, booking);
        });
      }
    },

    /** Ends a request whose window has passed without a ride, and its open asks. */
    async expireRequest(requestId: string): Promise<void> {
      await transact(async (tx) => {
        const request = await rides.lockRequest(tx, requestId);
        if (request === null || !openRequestStates.includes(request.state) || request.latestAt > clock.now())
          return;
        await settle.closeAsks(tx, await rides.bookingsOf(tx, { requestIds: [requestId] }), 'expire', '');
        await moves.moveRequest(tx, request, 'expire', bySystem, { endedAt: clock.now() });
        await rides.freeSpan(tx, requestId);
      });
    },
  };
}
