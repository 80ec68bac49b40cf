import { noPreferences } from '#contract/rides/preferences.ts';
import {
  breakOffKinds,
  endedRequestStates,
  endedRideStates,
  isAgreed,
  openAskStates,
  seatedStates,
  type RequestState,
  type RideState,
} from '#contract/rides/moves.ts';
import { acceptBooking } from '../../features/orders/bookings/accept-booking.ts';
import { answerChange as answerChangeNow } from '../../features/orders/bookings/apply-change.ts';
import { proposeChange } from '../../features/orders/bookings/propose-change.ts';
import { authorizeBooking } from '../../features/orders/bookings/booking-payment.ts';
import { cancelOrder } from '../../features/orders/bookings/cancel-order.ts';
import { previewCancellation } from '../../features/orders/bookings/cancellation-fee.ts';
import { rejectBooking, withdrawBooking } from '../../features/orders/bookings/close-booking.ts';
import { askToJoin, inviteToRide } from '../../features/orders/bookings/open-booking.ts';
import { joinWaitlist, leaveWaitlist } from '../../features/orders/bookings/waitlist.ts';
import { createOrder, updateOrder } from '../../features/orders/order-commands.ts';
import { viewOrder } from '../../features/orders/order-views.ts';
import { fromOf, toOf } from '../../features/orders/service.ts';
import { chooseCard as chooseCardNow } from '../../features/payments/cards/manage-cards.ts';
import { answerClaim, resolveClaim } from '../../features/payments/claims/resolve-claim.ts';
import { openClaim } from '../../features/payments/claims/open-claim.ts';
import { needOf } from '../../features/payments/service.ts';
import { arrive, depart } from '../../features/trips/depart-and-arrive.ts';
import { interruptRide } from '../../features/trips/interrupt-ride.ts';
import { settleInterruptedShare } from '../../features/trips/interrupted-rides.ts';
import { reportNoShow, reportDriver, noteContact } from '../../features/trips/no-show.ts';
import { pickUp, confirmMeeting } from '../../features/trips/pickup.ts';
import { reach } from '../../features/trips/reach.ts';
import { dayMs, hourMs, later, minuteMs } from '../../platform/clock.ts';
import { spots } from '../orders.ts';
import { answerBank } from './answer-bank.ts';
import {
  driverOf,
  nameOf,
  passengerOf,
  pick,
  tick,
  type Deed,
  type Dice,
  type Find,
  type Move,
} from './deeds.ts';
import { cardNames, type Driver, type Passenger, type HistoryContext } from './history-context.ts';
import { news } from './news.ts';
import { isBlocked, peopleMoves } from './people-moves.ts';
import { upsets } from './upsets.ts';
import { weeklyMoves } from './weekly.ts';
import type { Booking, Request, Ride, World } from './world.ts';

const openRides: readonly RideState[] = ['matching', 'full', 'waiting'];
const openRequests: readonly RequestState[] = ['matching', 'requesting', 'inviting'];
const common = {
  note: '',
  contactWith: 'phone',
  flightNumber: '',
  eventId: null,
  visibility: 'all users',
  tagIds: [] as string[],
  preferences: noPreferences,
} as const;

const rideWays = [
  [spots.westside, spots.aptos],
  [spots.campus, spots.aptos],
] as const;
/** Routes that a driver proposes instead; some leave a passenger behind and are refused. */
const otherWays = [
  { from: spots.westside, via: [spots.soquel], to: spots.aptos },
  { from: spots.scottsValley, via: [], to: spots.aptos },
  { from: spots.downtown, via: [], to: spots.capitola },
].map(({ from, via, to }) => ({ from: { ...from }, via: via.map((stop) => ({ ...stop })), to: { ...to } }));
const requestWays = [
  [spots.downtown, spots.capitola],
  [spots.westside, spots.capitola],
  [spots.capitola, spots.aptos],
  [spots.downtown, spots.aptos],
] as const;
const departsIn = [
  2 * hourMs,
  3 * hourMs,
  5 * hourMs,
  26 * hourMs,
  30 * hourMs,
  9 * dayMs,
  9 * dayMs + 3 * hourMs,
];
/**
 * Other times that a driver proposes; the last are on other days, on the far side of the day on which holds
 * are placed.
 */
const timeChanges = [
  0,
  20 * minuteMs,
  -20 * minuteMs,
  90 * minuteMs,
  dayMs,
  4 * dayMs,
  8 * dayMs,
  -4 * dayMs,
];
const prices = [
  ['perPerson', 2000],
  ['perPerson', 0],
  ['perCar', 2500],
  ['perPerson', 1333],
  ['perCar', 1999],
  ['perPerson', 2000],
  ['perPerson', 50],
  ['perCar', 150],
  ['perPerson', 137],
] as const;

const publishRide: Find = (context, world, { which, how, more }) =>
  context.drivers
    .filter(
      ({ id }) =>
        world.rides.filter((ride) => ride.driverId === id && !endedRideStates.includes(ride.state)).length <
        (how % 4 === 0 ? 2 : 1),
    )
    .map(({ name, id, vehicleId }) => {
      const [priceKind, costCents] = pick(prices, how);
      const [from, to] = pick(rideWays, more);
      const seats = 1 + (which % 3);
      const departsAt = later(world.now, pick(departsIn, which));
      const instant = more % 3 === 0;
      const price = `${costCents} ¢ ${priceKind}`;
      return {
        who: id,
        words: `${name} offers ${seats} seats at ${price}${instant ? ', instant' : ''}, leaving ${departsAt.toISOString()}`,
        act: () =>
          createOrder(context.app.platform, id, {
            role: 'driver',
            ...common,
            from,
            to,
            seats,
            vehicleId,
            priceKind,
            costCents,
            instant,
            via: [],
            departsAt: departsAt.toISOString(),
            flexMinutes: pick([0, 15, 60], how),
            maxDetourMinutes: 20,
          }),
      };
    });

const publishRequest: Find = (context, world, { which, how, more }) => {
  const open = world.rides.filter(({ state }) => openRides.includes(state));
  if (open.length === 0 && more % 4 > 0) return [];
  const around = open.length > 0 ? pick(open, more).departsAt : later(world.now, pick(departsIn, more));
  return context.passengers
    .filter(
      ({ id }) =>
        world.requests.filter((each) => each.passengerId === id && !endedRequestStates.includes(each.state))
          .length < (which % 4 === 0 ? 2 : 1),
    )
    .map(({ name, id }) => {
      const [from, to] = pick(requestWays, how);
      const seats = which % 4 === 0 ? 2 : 1;
      const earliestAt = later(around, -30 * minuteMs);
      const latestAt = later(around, (how % 2 === 0 ? 45 : 75) * minuteMs);
      return {
        who: id,
        words: `${name} looks for ${seats} seats from ${from.name} to ${to.name} about ${around.toISOString()}`,
        act: () =>
          createOrder(context.app.platform, id, {
            role: 'passenger',
            ...common,
            from,
            to,
            seats,
            earliestAt: earliestAt.toISOString(),
            latestAt: latestAt.toISOString(),
            offerCents: how % 3 === 0 ? 1500 : null,
            walkMetres: 600,
          }),
      };
    });
};

/** Open requests and rides about the same time that have nothing to do with each other yet. */
const pairs = (world: World): { ride: Ride; request: Request }[] =>
  world.rides
    .filter(({ state }) => openRides.includes(state))
    .flatMap((ride) =>
      world.requests
        .filter(
          ({ id, state, seats, earliestAt, latestAt }) =>
            openRequests.includes(state) &&
            seats <= ride.seats &&
            ride.latestDepartsAt > world.now &&
            earliestAt <= later(ride.latestDepartsAt, hourMs) &&
            latestAt >= ride.earliestDepartsAt &&
            !world.bookings.some(
              (booking) => booking.rideId === ride.id && booking.requestId === id && booking.endedAt === null,
            ),
        )
        .map((request) => ({ ride, request })),
    );

const ofPairs =
  (
    when: (ride: Ride, dice: Dice) => boolean,
    what: (
      context: HistoryContext,
      pair: { ride: Ride; request: Request },
    ) => { who: Driver | Passenger; words: string; act: () => Promise<unknown> },
  ): Find =>
  (context, world, dice) =>
    pairs(world)
      .filter(
        ({ ride, request }) =>
          when(ride, dice) &&
          // Moves that will be refused are tried now and then.
          (dice.more % 4 === 0 || !isBlocked(context, ride.driverId, request.passengerId)),
      )
      .map((pair) => {
        const { who, words, act } = what(context, pair);
        const [ride, request] = [nameOf(world, pair.ride.id), nameOf(world, pair.request.id)];
        return { who: who.id, words: `${who.name} ${words} (${ride}, ${request})`, act };
      });

/** One side's deeds about a booking, where `when` says so. */
const ofBookings =
  (
    side: 'driver' | 'passenger',
    words: string,
    when: (booking: Booking, world: World) => boolean,
    act: (context: HistoryContext, booking: Booking, personId: string, dice: Dice) => Promise<unknown>,
  ): Find =>
  (context, world, dice) =>
    world.bookings
      .filter((booking) => when(booking, world))
      .map((booking) => {
        const who =
          side === 'driver' ? driverOf(context, booking.driverId) : passengerOf(context, booking.passengerId);
        return {
          who: who.id,
          words: `${who.name} ${words} ${nameOf(world, booking.id)}`,
          act: () => act(context, booking, who.id, dice),
        };
      });

const ofRides =
  (
    words: string,
    when: (ride: Ride, world: World) => boolean,
    act: (context: HistoryContext, ride: Ride, dice: Dice) => Promise<unknown>,
  ): Find =>
  (context, world, dice) =>
    world.rides
      .filter((ride) => when(ride, world))
      .map((ride) => ({
        who: ride.driverId,
        words: `${driverOf(context, ride.driverId).name} ${words} ${nameOf(world, ride.id)}`,
        act: () => act(context, ride, dice),
      }));

const isIn = (booking: Booking, ...states: Booking['state'][]) => states.includes(booking.state);
const rideOf = (world: World, booking: Booking) => world.rides.find(({ id }) => id === booking.rideId)!;
const holdOf = (world: World, booking: Booking) =>
  world.holds.find(({ bookingId, isCurrent }) => isCurrent && bookingId === booking.id);
/** Every second driver is where they say, as their device shows; the others give their word alone. */
const shownAt = ({ lon, lat }: { lon: number; lat: number }, how: number) =>
  how % 2 === 0 ? { at: { lon, lat }, reason: '' } : { reason: 'I am here' };
const isUnderWay = ({ state }: Ride) => state === 'departed' || state === 'picking' || state === 'ongoing';
/** Of a missed passenger who is there after all, this side has not said so. */
const mayBeLate = (booking: Booking, world: World, side: 'driver' | 'passenger') =>
  isIn(booking, 'missed') &&
  booking.metBy !== side &&
  (isUnderWay(rideOf(world, booking)) || rideOf(world, booking).state === 'driver reached');
const answersInvitation = (booking: Booking) =>
  booking.state === 'inviting' ||
  (booking.state === 'waiting for passenger acceptance' && booking.awaits === 'answer');

const authorize: Find = (context, world, { how }) =>
  world.bookings
    .filter((booking) => {
      const hold = holdOf(world, booking);
      return hold !== undefined && (needOf(hold) !== null || booking.awaits === 'payment');
    })
    .map((booking) => {
      const { name, id, cards } = passengerOf(context, booking.passengerId);
      const card = pick([null, 'good', ...cardNames] as const, how);
      return {
        who: id,
        words: `${name} pays for ${nameOf(world, booking.id)}${card === null ? '' : ` with the card that is ${card}`}`,
        act: () =>
          authorizeBooking(context.app.platform, id, {
            bookingId: booking.id,
            methodId: (card === null ? null : cards[card]) ?? undefined,
          }),
      };
    });

const answerAtBank: Find = (context, world, { how }) =>
  world.holds
    .filter(({ state, actionUrl }) => state === 'requires_action' && actionUrl !== null)
    .map((hold) => {
      const { bookingId, passengerId } = hold;
      const answer = how % 4 === 0 ? 'no' : 'yes';
      const { name } = passengerOf(context, passengerId);
      return {
        who: passengerId,
        words: `${name} says ${answer} to the bank about ${nameOf(world, bookingId)}`,
        act: () => answerBank(context, hold, answer),
      };
    });

const chooseCard: Find = (context, _world, { how }) =>
  context.passengers.flatMap((who) => {
    const card = pick(
      cardNames.filter((name) => name !== who.pays),
      how,
    );
    const cardId = who.cards[card];
    if (cardId === null) return [];
    return [
      {
        who: who.id,
        words: `${who.name} chooses the card that is ${card}`,
        async act() {
          // Known whatever becomes of it, so that it is put back in the end.
          who.pays = card;
          await chooseCardNow(context.app.platform, who.id, cardId);
        },
      },
    ];
  });

const answerChange: Find = (context, world, { how }) =>
  world.changes
    .filter(({ state }) => state === 'open')
    .flatMap((change) => {
      const said = world.bookings.filter((booking) => booking.rideId === change.rideId && isAgreed(booking));
      const accepts = how % 4 !== 0;
      return [
        ...said.map((booking) => ({
          who: booking.passengerId,
          words: `${passengerOf(context, booking.passengerId).name} ${accepts ? 'agrees' : 'does not agree'} to the change (${nameOf(world, booking.id)})`,
          act: () =>
            answerChangeNow(context.app.platform, booking.passengerId, {
              changeId: change.id,
              accept: accepts,
            }),
        })),
        {
          who: change.driverId,
          words: `${driverOf(context, change.driverId).name} takes the change of ${nameOf(world, change.rideId)} back`,
          act: () =>
            answerChangeNow(context.app.platform, change.driverId, {
              changeId: change.id,
              accept: false,
            }),
        },
      ];
    });

const disputeDeeds = {
  object: (context: HistoryContext, world: World): Deed[] =>
    world.holds
      .filter(
        ({ isCurrent, goal, captureCents, bookingId }) =>
          isCurrent &&
          goal === 'capture' &&
          captureCents > 0 &&
          !world.disputes.some((each) => each.bookingId === bookingId && each.state !== 'resolved'),
      )
      .map(({ bookingId, passengerId }) => ({
        who: passengerId,
        words: `${passengerOf(context, passengerId).name} objects to what ${nameOf(world, bookingId)} costs`,
        act: () => openClaim(context.app.platform, passengerId, bookingId, 'It was not like that'),
      })),
  reply: (context: HistoryContext, world: World): Deed[] =>
    world.disputes
      .filter(({ state }) => state === 'open')
      .map(({ id, driverId, bookingId }) => ({
        who: driverId,
        words: `${driverOf(context, driverId).name} tells the other side of ${nameOf(world, bookingId)}`,
        act: () => answerClaim(context.app.platform, driverId, id, 'It was'),
      })),
  decide: (context: HistoryContext, world: World, { how }: Dice): Deed[] =>
    world.disputes
      .filter(({ state }) => state !== 'resolved')
      .map(({ id, bookingId }) => {
        const hold = world.holds.find((each) => each.isCurrent && each.bookingId === bookingId)!;
        const owed = hold.capturedCents > 0 ? hold.capturedCents : hold.captureCents;
        const refundCents = pick([0, Math.floor(owed / 3), owed, owed + 1], how);
        return {
          who: null,
          words: `the admin gives ${refundCents} of ${owed} ¢ back for ${nameOf(world, bookingId)}`,
          act: () =>
            resolveClaim(context.app.platform, context.adminId, {
              disputeId: id,
              refundCents,
              decision: 'Decided',
            }),
        };
      }),
};

/** Open disputes are decided: nothing is given back. */
export const deciding = (context: HistoryContext, world: World): Deed[] =>
  disputeDeeds.decide(context, world, { kind: 0, which: 0, how: 0, more: 0 });

const settleBroken: Find = (context, world, { how }) =>
  world.holds
    .filter(
      ({ isCurrent, kind, goal, capturedCents }) =>
        isCurrent && kind === 'partWay' && goal === 'capture' && capturedCents === 0,
    )
    .map(({ bookingId, captureCents }) => {
      const shareCents = pick([captureCents, Math.floor(captureCents / 2), 0, captureCents + 1], how);
      return {
        who: null,
        words: `the admin settles ${shareCents} of ${captureCents} ¢ for ${nameOf(world, bookingId)}`,
        act: () =>
          settleInterruptedShare(
            context.app.platform,
            { bookingId, shareCents, note: 'Settled' },
            context.adminId,
          ),
      };
    });

const moveClock =
  (words: string, to: (world: World, dice: Dice) => Date | null): Find =>
  (context, world, dice) => {
    const at = to(world, dice);
    // While no order is open, passing time moves nothing.
    const isBusy = world.bookings.some(({ endedAt }) => endedAt === null);
    if (at === null || at <= world.now || (!isBusy && dice.more % 5 > 0)) return [];
    const ticks = dice.more % 4 !== 0;
    return [
      {
        who: null,
        words: `${words}: it is ${at.toISOString()}${ticks ? '' : ', and the scheduler sleeps'}`,
        async act() {
          context.clock.moveTo(at);
          if (ticks) await tick(context);
        },
      },
    ];
  };

/** When the next ride with a joined passenger leaves. */
const nextDeparture = ({ rides, bookings, now }: World): Date | null =>
  rides
    .filter(
      ({ id, state, departsAt }) =>
        openRides.includes(state) &&
        departsAt > now &&
        bookings.some((booking) => booking.rideId === id && seatedStates.includes(booking.state)),
    )
    .map(({ departsAt }) => departsAt)
    .toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;

const line =
  (words: string, is: HistoryContext['trouble']['is']): Find =>
  (context) =>
    context.trouble.is === is
      ? []
      : [
          {
            who: null,
            words,
            act: async () => {
              context.trouble.is = is;
            },
          },
        ];

/** Cancels as the app does: what it costs is read first, and brought back. */
async function cancelAsShown({ app }: HistoryContext, personId: string, id: string): Promise<unknown> {
  const { seen } = await previewCancellation(app.platform, id, personId);
  return cancelOrder(app.platform, personId, { id, reason: '', seen });
}

/** A person tries a move on a thing that may be another's, at a time that may be wrong. */
const rash: Find = (context, world, { which, how }) => {
  if (world.bookings.length === 0) return [];
  const booking = pick(world.bookings, which);
  const { id: bookingId, rideId, requestId } = booking;
  const people = [booking.driverId, booking.passengerId, context.strangerId, context.passengers[0]!.id];
  const tries: Record<string, (who: string) => Promise<unknown>> = {
    accept: (who) => acceptBooking(context.app.platform, bookingId, who),
    reject: (who) => rejectBooking(context.app.platform, bookingId, who, 'No'),
    withdraw: (who) => withdrawBooking(context.app.platform, bookingId, who),
    cancel: (who) => cancelOrder(context.app.platform, who, { id: rideId, bookingId, reason: 'No' }),
    'cancel the request': (who) => cancelOrder(context.app.platform, who, { id: requestId, reason: 'No' }),
    authorize: (who) => authorizeBooking(context.app.platform, who, { bookingId }),
    reach: (who) => reach(context.app.platform, { id: rideId, bookingId, reason: 'I am here' }, who),
    depart: (who) => depart(context.app.platform, rideId, who),
    'pick up': (who) => pickUp(context.app.platform, { bookingId, undo: false }, who),
    meet: (who) => confirmMeeting(context.app.platform, bookingId, false, who),
    'mark as missed': (who) => reportNoShow(context.app.platform, bookingId, who),
    'report the driver': (who) => reportDriver(context.app.platform, bookingId, who),
    'drop off': (who) => arrive(context.app.platform, rideId, bookingId, who),
    arrive: (who) => arrive(context.app.platform, rideId, undefined, who),
    wait: (who) => joinWaitlist(context.app.platform, who, { rideId, requestId }),
    look: (who) => viewOrder(context.app.platform, rideId, who),
  };
  const [what, act] = pick(Object.entries(tries), how);
  return people.map((who) => {
    const known =
      [...context.drivers, ...context.passengers].find(({ id }) => id === who)?.name ?? 'a stranger';
    return { who, words: `${known} tries to ${what} (${nameOf(world, bookingId)})`, act: () => act(who) };
  });
};

const editRide: Find = (context, world, { how, more }) =>
  world.rides
    .filter(({ state }) => state === 'matching' || state === 'full')
    .map((ride) => {
      const { driverId, vehicleId, instant } = ride;
      const [priceKind, costCents] =
        more % 2 === 0 ? ([ride.priceKind, ride.costCents] as const) : pick(prices, how);
      const seats = 1 + (how % 3);
      return {
        who: driverId,
        words: `${driverOf(context, driverId).name} edits ${nameOf(world, ride.id)}: ${seats} seats, ${costCents} ¢ ${priceKind}`,
        act: () =>
          updateOrder(context.app.platform, ride.id, driverId, {
            role: 'driver',
            ...common,
            from: fromOf(ride),
            to: toOf(ride),
            seats,
            vehicleId,
            priceKind,
            costCents,
            instant,
            via: [],
            departsAt: ride.earliestDepartsAt.toISOString(),
            flexMinutes: (ride.latestDepartsAt.getTime() - ride.earliestDepartsAt.getTime()) / minuteMs,
            maxDetourMinutes: ride.maxDetourMs / minuteMs,
          }),
      };
    });

/** Every kind of step. */
export const moves: Record<string, Move> = {
  publishRide: { weight: 2, find: publishRide },
  publishRequest: { weight: 3, find: publishRequest },
  editRide: { weight: 0.2, find: editRide },
  ask: {
    weight: 16,
    find: ofPairs(
      ({ state }, { more }) => state !== 'full' || more % 8 === 0,
      ({ app, ...context }, { ride, request }) => ({
        who: passengerOf({ app, ...context }, request.passengerId),
        words: 'asks',
        act: () =>
          askToJoin(app.platform, request.passengerId, {
            rideId: ride.id,
            requestId: request.id,
            message: '',
          }),
      }),
    ),
  },
  invite: {
    weight: 4,
    find: ofPairs(
      ({ state }) => state !== 'full',
      (context, { ride, request }) => ({
        who: driverOf(context, ride.driverId),
        words: 'invites',
        act: () =>
          inviteToRide(context.app.platform, ride.driverId, {
            rideId: ride.id,
            requestId: request.id,
            message: '',
          }),
      }),
    ),
  },
  waitlist: {
    weight: 6,
    find: ofPairs(
      ({ state }, { more }) => state === 'full' || more % 8 === 0,
      (context, { ride, request }) => ({
        who: passengerOf(context, request.passengerId),
        words: 'waits for a seat',
        act: () =>
          joinWaitlist(context.app.platform, request.passengerId, {
            rideId: ride.id,
            requestId: request.id,
          }),
      }),
    ),
  },
  leaveWaitlist: {
    weight: 1,
    find: (context, world) =>
      world.waiting.map(({ rideId, requestId, passengerId }) => ({
        who: passengerId,
        words: `${passengerOf(context, passengerId).name} waits no longer (${nameOf(world, rideId)})`,
        act: () => leaveWaitlist(context.app.platform, passengerId, { rideId, requestId }),
      })),
  },
  accept: {
    weight: 18,
    find: ofBookings(
      'driver',
      'accepts',
      (booking, world) => isIn(booking, 'requesting') && rideOf(world, booking).latestDepartsAt > world.now,
      ({ app }, { id }, who) => acceptBooking(app.platform, id, who),
    ),
  },
  acceptInvitation: {
    weight: 10,
    find: ofBookings('passenger', 'accepts', answersInvitation, ({ app }, { id }, who) =>
      acceptBooking(app.platform, id, who),
    ),
  },
  reject: {
    weight: 1.5,
    find: ofBookings(
      'driver',
      'rejects',
      (booking) => isIn(booking, 'requesting'),
      ({ app }, { id }, who) => rejectBooking(app.platform, id, who, 'No room for the luggage'),
    ),
  },
  decline: {
    weight: 1.5,
    find: ofBookings(
      'passenger',
      'declines',
      (booking) => isIn(booking, 'inviting', 'waiting for passenger acceptance'),
      ({ app }, { id }, who) => rejectBooking(app.platform, id, who, ''),
    ),
  },
  withdraw: {
    weight: 1.5,
    find: ofBookings(
      'passenger',
      'withdraws',
      (booking) => isIn(booking, 'requesting'),
      ({ app }, { id }, who) => withdrawBooking(app.platform, id, who),
    ),
  },
  withdrawInvitation: {
    weight: 1.5,
    find: ofBookings(
      'driver',
      'takes back',
      (booking) => isIn(booking, 'inviting', 'waiting for passenger acceptance'),
      ({ app }, { id }, who) => withdrawBooking(app.platform, id, who),
    ),
  },
  cancelRequest: {
    weight: 0.6,
    find: (context, world) =>
      world.requests
        .filter(({ state }) => !endedRequestStates.includes(state))
        .map(({ id, passengerId }) => ({
          who: passengerId,
          words: `${passengerOf(context, passengerId).name} cancels ${nameOf(world, id)}`,
          act: () => cancelAsShown(context, passengerId, id),
        })),
  },
  cancelRide: {
    weight: 0.4,
    find: ofRides(
      'cancels',
      ({ state }) => !endedRideStates.includes(state),
      ({ app }, { id, driverId }) =>
        cancelOrder(app.platform, driverId, { id, reason: 'The car broke down' }),
    ),
  },
  cancelBooking: {
    weight: 0.7,
    find: ofBookings(
      'driver',
      'cancels',
      (booking) => isIn(booking, 'joined', 'waiting', 'driver reached'),
      ({ app }, { id, rideId }, who) =>
        cancelOrder(app.platform, who, { id: rideId, bookingId: id, reason: 'No room after all' }),
    ),
  },
  authorize: { weight: 14, find: authorize },
  answerAtBank: { weight: 12, find: answerAtBank },
  chooseCard: { weight: 0.3, find: chooseCard },
  propose: {
    weight: 3,
    find: ofRides(
      'proposes other terms for',
      ({ id, state }, world) =>
        (state === 'matching' || state === 'full') &&
        world.bookings.some((booking) => booking.rideId === id && isAgreed(booking)),
      ({ app }, { id, driverId, departsAt, costCents }, { how, more }) =>
        proposeChange(app.platform, driverId, {
          id,
          // Every second proposal is of another price alone.
          departsAt: later(departsAt, how % 2 === 0 ? 0 : pick(timeChanges, (how - 1) / 2)).toISOString(),
          costCents: pick([Math.floor(costCents / 2), 2400, 0, 900, costCents], more),
          way: how % 2 === 0 ? null : pick([null, ...otherWays, null], how + more),
          note: '',
        }),
    ),
  },
  answerChange: { weight: 8, find: answerChange },
  reach: {
    weight: 14,
    find: ofRides(
      'reaches the start of',
      ({ state }) => state === 'waiting',
      ({ app }, { id, driverId, ...ride }, { how }) =>
        reach(app.platform, { id, ...shownAt(fromOf(ride), how) }, driverId),
    ),
  },
  reachPassenger: {
    weight: 14,
    find: ofBookings(
      'driver',
      'reaches the passenger of',
      (booking, world) => isIn(booking, 'waiting') && isUnderWay(rideOf(world, booking)),
      ({ app }, { id, rideId, pickupLon: lon, pickupLat: lat }, who, { how }) =>
        reach(app.platform, { id: rideId, bookingId: id, ...shownAt({ lon, lat }, how) }, who),
    ),
  },
  depart: {
    weight: 12,
    find: ofRides(
      'departs with',
      ({ state, departsAt }, { now }) => state === 'driver reached' && now >= later(departsAt, -5 * minuteMs),
      ({ app }, { id, driverId }) => depart(app.platform, id, driverId),
    ),
  },
  pickUp: {
    weight: 16,
    find: ofBookings(
      'driver',
      'meets the passenger of',
      (booking, world) => isIn(booking, 'driver reached', 'picking') || mayBeLate(booking, world, 'driver'),
      ({ app }, { id }, who) => pickUp(app.platform, { bookingId: id, undo: false }, who),
    ),
  },
  confirmMeeting: {
    weight: 16,
    find: ofBookings(
      'passenger',
      'meets the driver of',
      (booking, world) =>
        isIn(booking, 'driver reached', 'picking') || mayBeLate(booking, world, 'passenger'),
      ({ app }, { id }, who) => confirmMeeting(app.platform, id, false, who),
    ),
  },
  undoMeeting: {
    weight: 1,
    find: ofBookings(
      'driver',
      'takes back the meeting of',
      (booking) => isIn(booking, 'picking') && booking.metBy === 'driver',
      ({ app }, { id }, who) => pickUp(app.platform, { bookingId: id, undo: true }, who),
    ),
  },
  undoConfirming: {
    weight: 1,
    find: ofBookings(
      'passenger',
      'takes back the meeting of',
      (booking) => isIn(booking, 'picking') && booking.metBy === 'passenger',
      ({ app }, { id }, who) => confirmMeeting(app.platform, id, true, who),
    ),
  },
  noShow: {
    weight: 5,
    find: ofBookings(
      'driver',
      'says nobody came for',
      (booking) => isIn(booking, 'driver reached'),
      async ({ app }, { id }, who) => {
        await noteContact(app.platform, { bookingId: id, kind: 'call' }, who);
        return reportNoShow(app.platform, id, who);
      },
    ),
  },
  reportDriver: {
    weight: 3,
    find: ofBookings(
      'passenger',
      'reports the driver of',
      (booking, { now }) => isIn(booking, 'waiting', 'driver reached', 'picking') && now >= booking.pickupAt,
      ({ app }, { id }, who) => reportDriver(app.platform, id, who),
    ),
  },
  dropOff: {
    weight: 6,
    find: ofBookings(
      'driver',
      'drops off the passenger of',
      (booking) => isIn(booking, 'picked'),
      ({ app }, { id, rideId }, who) => arrive(app.platform, rideId, id, who),
    ),
  },
  arrive: {
    weight: 8,
    find: ofRides('arrives with', isUnderWay, ({ app }, { id, driverId }) =>
      arrive(app.platform, id, undefined, driverId),
    ),
  },
  breakOff: {
    weight: 0.8,
    find: ofRides('cannot go on with', isUnderWay, ({ app }, { id, driverId }, { how, more }) =>
      interruptRide(
        app.platform,
        {
          id,
          kind: pick(breakOffKinds, how),
          reason: 'It does not work',
          place: pick([undefined, spots.soquel, spots.capitola, spots.downtown], more),
        },
        driverId,
      ),
    ),
  },
  settleBroken: { weight: 2, find: settleBroken },
  object: { weight: 3, find: disputeDeeds.object },
  reply: { weight: 2, find: disputeDeeds.reply },
  decide: { weight: 3, find: disputeDeeds.decide },
  minutesPass: {
    weight: 2,
    find: moveClock('minutes pass', ({ now }, { how }) => later(now, (1 + (how % 40)) * minuteMs)),
  },
  hoursPass: {
    weight: 1,
    find: moveClock('hours pass', ({ now }, { how }) => later(now, (1 + (how % 8)) * hourMs)),
  },
  daysPass: {
    weight: 0.5,
    find: moveClock('days pass', ({ now }, { how }) => later(now, (1 + (how % 3)) * dayMs)),
  },
  dayOfTheRide: {
    weight: 6,
    find: moveClock('the day of a ride begins', (world) => {
      const next = nextDeparture(world);
      return next === null ? null : later(next, -55 * minuteMs);
    }),
  },
  timeToLeave: {
    weight: 5,
    find: moveClock('it is time to leave', (world) => {
      const next = nextDeparture(world);
      return next === null ? null : later(next, -2 * minuteMs);
    }),
  },
  waitIsOver: {
    weight: 2,
    find: moveClock('the wait for a passenger is over', (world) =>
      world.bookings.some((booking) => isIn(booking, 'driver reached'))
        ? later(world.now, 20 * minuteMs)
        : null,
    ),
  },
  lateForARide: {
    weight: 2,
    find: moveClock('a ride can still wait', (world, { how }) => {
      const waits = world.rides.filter(
        ({ state, latestDepartsAt, earliestDepartsAt }) =>
          openRides.includes(state) && latestDepartsAt > earliestDepartsAt && latestDepartsAt > world.now,
      );
      if (waits.length === 0) return null;
      const { earliestDepartsAt, latestDepartsAt } = pick(waits, how);
      const flexMs = latestDepartsAt.getTime() - earliestDepartsAt.getTime();
      return later(earliestDepartsAt, flexMs * pick([0.2, 0.5, 0.8, 0.95], how));
    }),
  },
  holdsArePlaced: {
    weight: 2,
    find: moveClock('three days before a ride', (world) => {
      const next = nextDeparture(world);
      return next === null ? null : later(next, -3 * dayMs + 10 * minuteMs);
    }),
  },
  answersAreLate: {
    weight: 2,
    find: moveClock('the time to answer is over', (world) => {
      const ends = world.bookings.flatMap(({ state, expiresAt }) =>
        expiresAt !== null && openAskStates.includes(state) ? [expiresAt.getTime()] : [],
      );
      return ends.length === 0 ? null : new Date(Math.min(...ends));
    }),
  },
  tick: {
    weight: 1,
    find: (context) => [{ who: null, words: 'the scheduler looks', act: () => tick(context) }],
  },
  providerAway: { weight: 0.25, find: line('the card provider is away', 'away') },
  answersLost: { weight: 0.25, find: line('the card provider’s answers are lost', 'answerLost') },
  newsLost: { weight: 0.25, find: line('the card provider’s news does not come', 'newsLost') },
  providerBack: { weight: 8, find: line('the card provider is back', 'none') },
  rash: { weight: 0.8, find: rash },
  ...upsets,
  ...news,
  ...peopleMoves,
  ...weeklyMoves,
};
