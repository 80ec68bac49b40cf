import { randomUUID } from 'node:crypto';
import {
  contactKinds,
  openAskStates,
  seatedStates,
  type BookingMove,
  type BookingState,
  type RideMove,
} from '#contract/rides/moves.ts';
import type { LonLat } from '#roads/geometry.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Db } from '../../platform/database/db.ts';
import { later } from '../../platform/clock.ts';
import { movedOn, notFound, Refusal, refuseField } from '../../platform/refusal.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { PaymentsService } from '../payments/service.ts';
import {
  abandonedAfterMs,
  bookingFacts,
  bySystem,
  gatherBeforeMs,
  mayMoveBooking,
  mayMoveRide,
  rideFacts,
  unjoinedEndsAfterMs,
  waitMs,
  type BookingRow,
  type By,
  type RideRow,
  type OrdersService,
} from '../orders/service.ts';
import { createInterruptRide } from './interrupt-ride.ts';
import { createBoarding, type Proof } from './boarding.ts';
import { createPositions } from './positions.ts';
import { createRebooking } from './rebooking.ts';
import {
  evidenceLater,
  evidenceNote,
  evidenceOf,
  wasThere,
  type Evidence,
  type LastPosition,
} from './rules/being-there.ts';
import * as store from './store.ts';

type ContactKind = (typeof contactKinds)[number];

export type TripsService = ReturnType<typeof createTrips>;

const coming: readonly BookingState[] = ['joined', 'waiting', 'driver reached', 'picking'];

interface Told {
  at?: LonLat | undefined;
  reason: string;
  /** When it was done, where the phone had no connection then. */
  doneAt?: string | undefined;
}

/** How a driver has shown that they are at a place. Refuses who has not. */
function shownToBeAt(
  place: LonLat,
  told: Told,
  known: { last: LastPosition | null; now: Date },
): Exclude<Evidence, { by: 'nothing' }> {
  const evidence = evidenceOf(place, told, known);
  if (evidence.by !== 'nothing') return evidence;
  const { metresAway } = evidence;
  if (metresAway === null)
    throw refuseField(
      'order.placeUnknown',
      'reason',
      'Please allow your position, or say why it is not known.',
    );
  throw refuseField(
    'order.notThere',
    'reason',
    `Your position is ${metresAway} metres from there. Please say why if you are there.`,
    { metresAway },
  );
}

/** The day of a ride: from the starting point to the last drop-off, and what the clock does when nobody does. */
export function createTrips(
  platform: Platform,
  {
    rides,
    identity,
    geo,
    payments,
  }: {
    rides: OrdersService;
    identity: IdentityService;
    geo: GeoService;
    payments: PaymentsService;
  },
) {
  const { transact, clock, uptime } = platform;
  const { moves, settle } = rides;
  const boarding = createBoarding(platform, rides);

  interface Scene {
    tx: Db;
    ride: RideRow;
    bookings: BookingRow[];
    may: RideMove[];
    mayBooking(booking: BookingRow, side: 'driver' | 'passenger'): BookingMove[];
    boardsAtStart(booking: BookingRow): boolean;
    /** How long the driver waits at a pick-up. */
    waitMs: number;
  }

  /** Locks a ride, lets it catch up with the clock, and hands over what stands. */
  async function on<T>(
    rideId: string,
    work: (scene: Scene) => Promise<T>,
    beside: readonly string[] = [],
  ): Promise<T> {
    const act = async (tx: Db): Promise<T> => {
      await rides.lockRide(tx, rideId, beside);
      await settle.ride(tx, rideId);
      const ride = await rides.lockedRide(tx, rideId);
      if (ride === null) throw notFound('order.notFound', 'This ride could not be found.');
      const bookings = await rides.reports.withContacts(
        tx,
        await rides.bookingsOf(tx, { rideIds: [rideId] }),
      );
      const stops = await rides.stopsOf(tx, [rideId]);
      const facts = rideFacts(ride, stops, bookings);
      const now = clock.now();
      return work({
        tx,
        ride,
        bookings,
        may: mayMoveRide(facts, now),
        mayBooking: (booking, side) => mayMoveBooking(facts, bookingFacts(booking, stops), side, now),
        boardsAtStart: (booking) => bookingFacts(booking, stops).boardsAtStart,
        waitMs: waitMs(facts),
      });
    };
    return transact(act, rideId);
  }

  /** The driver's own ride, or the refusal that does not tell whether it exists. */
  async function asDriver<T>(
    rideId: string,
    driverId: string,
    work: (scene: Scene, by: By) => Promise<T>,
  ): Promise<T> {
    const ride = await rides.rideById(rideId);
    if (ride === null || ride.driverId !== driverId)
      throw notFound('order.notFound', 'This ride could not be found.');
    return on(rideId, (scene) => work(scene, { actor: 'driver', actorId: driverId }));
  }

  async function onBooking(
    bookingId: string,
    personId: string,
    side: 'driver' | 'passenger',
    work: (scene: Scene, booking: BookingRow, by: By) => Promise<void>,
  ) {
    const own = await rides.ownBooking(bookingId, personId);
    if (own.side !== side) throw notFound('booking.notFound', 'This could not be found.');
    const act = async (scene: Scene) => {
      const booking = scene.bookings.find(({ id }) => id === bookingId)!;
      await work(scene, booking, { actor: side, actorId: personId });
    };
    // A booking that has ended may come back: its request is locked in its turn too.
    await on(own.booking.rideId, act, [own.booking.requestId]);
    return { booking: await rides.bookingView(bookingId, personId) };
  }

  const stale = () => movedOn('order.moved', 'This ride has moved on. Please look again.');
  const staleBooking = () => movedOn('booking.moved', 'This has moved on. Please look again.');
  const bookingOn = (scene: Scene, bookingId: string): BookingRow => {
    const booking = scene.bookings.find(({ id }) => id === bookingId);
    if (booking === undefined) throw notFound('order.notFound', 'This ride could not be found.');
    return booking;
  };

  /** One side says they have met; the second side's word puts the passenger on board. */
  async function confirm(
    scene: Scene,
    booking: BookingRow,
    by: By & { actor: 'driver' | 'passenger' },
    undo: boolean,
  ): Promise<void> {
    const { tx } = scene;
    const may = scene.mayBooking(booking, by.actor);
    let moved: BookingRow;
    if (undo) {
      if (!may.includes('undoMeet')) throw staleBooking();
      moved = await moves.moveBooking(tx, booking, 'undoMeet', by, { metBy: null });
    } else if (may.includes('meetLate')) {
      moved = await moves.moveBooking(tx, booking, 'meetLate', by, { metBy: by.actor });
    } else if (may.includes('boardLate')) {
      await rides.boardLate(tx, scene.ride, booking, by);
      return;
    } else if (may.includes('meet')) {
      moved = await moves.moveBooking(tx, booking, 'meet', by, { metBy: by.actor });
    } else if (may.includes('board')) {
      moved = await moves.moveBooking(tx, booking, 'board', by);
    } else throw staleBooking();
    await settle.booking(tx, moved);
  }

  /** The passenger's own proof counts as their word: they are on board whoever has confirmed so far. */
  async function boardWith(scene: Scene, booking: BookingRow, by: By, proof: Proof): Promise<void> {
    const { tx } = scene;
    // Whoever was missed and has come after all: what may be confirmed by either side is proved here.
    const mayBeLate = (['driver', 'passenger'] as const).some((side) =>
      scene.mayBooking(booking, side).some((move) => move === 'meetLate' || move === 'boardLate'),
    );
    if (mayBeLate) {
      await rides.boardLate(tx, scene.ride, booking, by, proof);
      return;
    }
    if (booking.state !== 'driver reached' && booking.state !== 'picking') throw staleBooking();
    const met =
      booking.state === 'picking'
        ? booking
        : await moves.moveBooking(tx, booking, 'meet', by, { metBy: 'driver' });
    await settle.booking(tx, await moves.moveBooking(tx, met, 'board', by, {}, proof));
  }

  async function miss(
    scene: Scene,
    booking: BookingRow,
    by: By,
    fault: 'driver' | 'passenger',
  ): Promise<void> {
    const { tx, ride } = scene;
    const pickup = { lon: booking.pickupLon, lat: booking.pickupLat };
    const last = await store.positionOf(tx, ride.id);
    const endedAt = clock.now();
    const reachedBy =
      booking.reachedAt === null
        ? null
        : evidenceLater(booking.reachedBy, wasThere(pickup, sinceReached(last, booking), endedAt));
    const move = fault === 'passenger' ? 'noShow' : 'reportDriver';
    const moved = await moves.moveBooking(tx, booking, move, by, { fault, endedAt, reachedBy });
    if (fault === 'driver') {
      const isContradicted = reachedBy === 'position' || wasThere(pickup, last, endedAt) === true;
      await rides.reports.open(tx, moved, { by: 'passenger', isContradicted });
    }
    await settle.leaveRoute(tx, ride, moved);
    await settle.booking(tx, moved);
  }

  async function dropOff(scene: Scene, booking: BookingRow, by: By): Promise<void> {
    const { tx, bookings } = scene;
    const moved = await moves.moveBooking(tx, booking, 'dropOff', by, { endedAt: clock.now() });
    const [request] = await rides.requestsByIds([booking.requestId], tx);
    await identity.countRide(tx, booking.passengerId, request?.driveMetres ?? 0);
    bookings.splice(bookings.indexOf(booking), 1, moved);
    await settle.request(tx, moved.requestId);
  }

  /** Leaves the starting point: whoever still asked is too late. */
  async function leave({ tx, ride, bookings }: Scene, by: By): Promise<void> {
    await moves.moveRide(tx, ride, 'depart', by, { departedAt: clock.now() });
    await settle.closeAsks(tx, bookings, 'expire', 'departed');
    await settle.requests(
      tx,
      bookings.filter(({ state }) => openAskStates.includes(state)),
    );
    for (const booking of bookings.filter(({ state }) => state === 'joined'))
      await moves.moveBooking(tx, booking, 'gather', bySystem);
    await settle.ride(tx, ride.id);
  }

  /** Ends a ride under way: those on board are dropped off, the time is free again. */
  async function end(scene: Scene, by: By): Promise<void> {
    const { tx, ride, bookings } = scene;
    for (const booking of bookings.filter(({ state }) => state === 'picked'))
      await dropOff(scene, booking, by);
    await moves.moveRide(tx, ride, ride.state === 'ongoing' ? 'arrive' : 'endEmpty', by, {
      endedAt: clock.now(),
    });
    await rides.freeSpan(tx, ride.id);
    const finished = bookings.filter(({ state }) => state === 'finished');
    if (finished.length === 0) return;
    await rides.money.fareDue(tx, finished, await rides.money.sharesOf(tx, ride, finished));
    const requestsOf = await rides.requestsByIds(
      finished.map(({ requestId }) => requestId),
      tx,
    );
    let sharedMetres = 0;
    for (const booking of finished)
      sharedMetres += requestsOf.find(({ id }) => id === booking.requestId)?.driveMetres ?? 0;
    await identity.countRide(tx, ride.driverId, sharedMetres);
  }

  async function view(rideId: string, driverId: string) {
    const ride = await rides.rideById(rideId);
    return { order: (await rides.rideViews([ride!], driverId))[0]! };
  }

  return {
    ...createPositions(platform, rides, geo),
    ...createRebooking(platform, { rides, identity }),
    ...createInterruptRide(platform, { rides, identity, payments }),
    boardingPass: boarding.pass,
    boardingKey: boarding.key,

    /**
     * The driver stands at the starting point, or with `bookingId` at that passenger's pick-up. Refuses, by `reason`, who is
     * not there by the device's position and does not say why to believe them.
     */
    async reach(
      { id: rideId, bookingId, ...told }: { id: string; bookingId?: string | undefined } & Told,
      driverId: string,
    ) {
      const last = await notePosition(rideId, driverId, told.at);
      await asDriver(rideId, driverId, async (scene, by) => {
        const { tx, ride } = scene;
        const now = clock.now();
        if (bookingId !== undefined) {
          const booking = bookingOn(scene, bookingId);
          const pickup = { lon: booking.pickupLon, lat: booking.pickupLat };
          if (await contradicts(scene, booking, told)) return;
          if (!scene.mayBooking(booking, 'driver').includes('reach')) throw stale();
          const shown = shownToBeAt(pickup, told, { last, now });
          const set = { reachedAt: now, reachedBy: shown.by };
          const moved = await moves.moveBooking(tx, booking, 'reach', by, set, evidenceNote(shown));
          await settle.booking(tx, moved);
          return;
        }
        if (ride.state === 'matching' || ride.state === 'full') {
          throw new Refusal(
            'order.tooEarly',
            'The day of the ride begins one hour before departure, once somebody has joined.',
            { code: 409 },
          );
        }
        if (!scene.may.includes('reach')) throw stale();
        const shown = shownToBeAt({ lon: ride.fromLon, lat: ride.fromLat }, told, { last, now });
        const set = { reachedAt: now, reachedBy: shown.by };
        await moves.moveRide(tx, ride, 'reach', by, set, evidenceNote(shown));
        for (const booking of scene.bookings.filter(
          (each) => each.state === 'waiting' && scene.boardsAtStart(each),
        )) {
          await moves.moveBooking(tx, booking, 'reach', by, set, evidenceNote(shown));
        }
      });
      return view(rideId, driverId);
    },

    /** The driver leaves a stop of their own on the way, the first being 1; said twice it is done once. */
    async passStop(rideId: string, stop: number, driverId: string) {
      await asDriver(rideId, driverId, async ({ tx }) => {
        if (!(await rides.passStop(tx, rideId, stop))) throw stale();
      });
      return view(rideId, driverId);
    },

    /** The driver leaves the starting point; open asks end. Refuses while somebody who boards there is neither on board nor missed. */
    async depart(rideId: string, driverId: string) {
      await asDriver(rideId, driverId, async (scene, by) => {
        const { ride, bookings } = scene;
        if (ride.state !== 'driver reached') throw stale();
        if (bookings.some((booking) => coming.includes(booking.state) && scene.boardsAtStart(booking))) {
          throw movedOn('ride.passengersWaiting', 'A passenger at the starting point is not on board yet.');
        }
        if (!scene.may.includes('depart'))
          throw new Refusal('order.tooEarly', 'You can leave 5 minutes before the agreed time.', {
            code: 409,
          });
        await leave(scene, by);
      });
      return view(rideId, driverId);
    },

    /** The driver has met the passenger (or takes it back). With the passenger's PIN or code they are on board at once. */
    async pickUp(
      {
        bookingId,
        undo,
        ...given
      }: { bookingId: string; undo: boolean; pin?: string | undefined; code?: string | undefined },
      driverId: string,
    ) {
      const { side } = await rides.ownBooking(bookingId, driverId);
      if (side !== 'driver') throw notFound('booking.notFound', 'This could not be found.');
      const proof = undo ? null : await boarding.check(bookingId, given);
      return onBooking(bookingId, driverId, 'driver', (scene, booking) => {
        const by = { actor: 'driver', actorId: driverId } as const;
        return proof === null ? confirm(scene, booking, by, undo) : boardWith(scene, booking, by, proof);
      });
    },

    /** The passenger has met the driver (or takes it back). */
    confirmMeeting: (bookingId: string, undo: boolean, passengerId: string) =>
      onBooking(bookingId, passengerId, 'passenger', (scene, booking) =>
        confirm(scene, booking, { actor: 'passenger', actorId: passengerId }, undo),
      ),

    /** The driver calls or writes to a passenger whose pick-up they have reached. */
    async noteContact({ bookingId, kind }: { bookingId: string; kind: ContactKind }, driverId: string) {
      return onBooking(bookingId, driverId, 'driver', async ({ tx }, booking) => {
        if (booking.state !== 'driver reached') throw staleBooking();
        await rides.reports.noteContact(tx, { id: randomUUID(), bookingId, driverId, kind, at: clock.now() });
      });
    },

    /**
     * The passenger did not come. Refuses before the wait is over, and before the driver has tried to contact them. The wait
     * counts while the server is at work: no passenger can tell one that is away where they are.
     */
    noShow: (bookingId: string, driverId: string) =>
      onBooking(bookingId, driverId, 'driver', async (scene, booking, by) => {
        if (booking.state !== 'driver reached') throw staleBooking();
        if (booking.contactedAt === null)
          throw new Refusal('booking.notContacted', 'Please call or write to the passenger first.', {
            code: 409,
          });
        const now = clock.now();
        const hasWaited = !(await uptime.wasAway(scene.tx, later(now, -scene.waitMs), now));
        if (!hasWaited || !scene.mayBooking(booking, 'driver').includes('noShow'))
          throw new Refusal('booking.waitNotOver', 'Please wait until the agreed waiting time is over.', {
            code: 409,
          });
        await miss(scene, booking, by, 'passenger');
      }),

    /** The driver did not come. Refuses before 15 minutes after the agreed time. */
    reportDriver: (bookingId: string, passengerId: string) =>
      onBooking(bookingId, passengerId, 'passenger', async (scene, booking, by) => {
        if (booking.unclearAt !== null) return sayNotRidden(scene, booking);
        if (booking.state !== 'waiting' && booking.state !== 'driver reached') throw staleBooking();
        if (!scene.mayBooking(booking, 'passenger').includes('reportDriver'))
          throw new Refusal('booking.waitNotOver', 'Please wait until 15 minutes after the agreed time.', {
            code: 409,
          });
        const { tx, ride, bookings } = scene;
        if (await sawNothing(tx, ride, clock.now())) {
          await rides.unclear.ask(tx, ride, bookings);
          return sayNotRidden(scene, booking);
        }
        await miss(scene, booking, by, 'driver');
      }),

    /** By the clock: settles a report of a driver that nothing has contradicted. */
    settleReport: rides.reports.settleDue,

    /** After an outage on the day of the ride: whether it took place. */
    async sayTookPlace(
      { bookingId, tookPlace }: { bookingId: string; tookPlace: boolean },
      personId: string,
    ) {
      const { booking, side } = await rides.ownBooking(bookingId, personId);
      await rides.unclear.answer(booking, side, tookPlace);
      return { booking: await rides.bookingView(bookingId, personId) };
    },

    /** By the clock: ends a ride whose people had their time to answer. */
    concludeUnclear: rides.unclear.concludeOverdue,

    /** The driver drops one passenger off, or ends the ride. */
    async arrive(rideId: string, bookingId: string | undefined, driverId: string) {
      await asDriver(rideId, driverId, async (scene, by) => {
        if (bookingId !== undefined) {
          const booking = bookingOn(scene, bookingId);
          if (!scene.mayBooking(booking, 'driver').includes('dropOff')) throw stale();
          await dropOff(scene, booking, by);
          return;
        }
        if (!scene.may.includes('arrive') && !scene.may.includes('endEmpty')) throw stale();
        await end(scene, by);
      });
      return view(rideId, driverId);
    },

    /** Lets a ride do what is due by the clock: gather, expire, or end when nobody has moved it for hours. */
    async catchUp(rideId: string): Promise<void> {
      await on(rideId, async (scene) => {
        const { tx, ride, bookings } = scene;
        if (await settle.followClock(tx, ride)) return;
        const now = clock.now().getTime();
        const unjoinedOver = now >= ride.latestDepartsAt.getTime() + unjoinedEndsAfterMs;
        const abandoned = (from: Date) => now >= from.getTime() + abandonedAfterMs;
        const isJoined = bookings.some(({ state }) => seatedStates.includes(state));
        const expire = async () => {
          await settle.closeAsks(tx, bookings, 'expire', 'closed');
          await moves.moveRide(tx, ride, 'expire', bySystem, { endedAt: clock.now() });
          await rides.freeSpan(tx, ride.id);
          await settle.requests(tx, bookings);
        };
        if ((ride.state === 'matching' || ride.state === 'full') && unjoinedOver && !isJoined) await expire();
        else if (
          (ride.state === 'waiting' || ride.state === 'driver reached') &&
          abandoned(ride.latestDepartsAt)
        ) {
          if (await isAsked(scene, later(ride.latestDepartsAt, abandonedAfterMs))) return;
          await giveUpComing(scene);
          // With somebody on board it has left, whether or not its driver said so; it ends when it should have arrived.
          if (bookings.some(({ state }) => state === 'picked')) await leave(scene, bySystem);
          else await expire();
        } else if (['departed', 'picking', 'ongoing'].includes(ride.state) && abandoned(ride.arrivesAt)) {
          if (await isAsked(scene, later(ride.arrivesAt, abandonedAfterMs))) return;
          await giveUpComing(scene);
          await settle.ride(tx, ride.id);
          const settled = await rides.lockRide(tx, ride.id);
          const after = await rides.bookingsOf(tx, { rideIds: [ride.id] });
          await end({ ...scene, ride: settled!, bookings: after }, bySystem);
        }
      });
    },
  };

  /** Keeps where the driver's device says that it is, whatever is refused afterwards, and hands over what it said last. */
  async function notePosition(
    rideId: string,
    driverId: string,
    at: LonLat | undefined,
  ): Promise<LastPosition | null> {
    const ride = await rides.rideById(rideId);
    if (ride === null || ride.driverId !== driverId) return null;
    if (at !== undefined) {
      const row = { rideId, driverId, lon: at.lon, lat: at.lat, headingDegrees: null, at: clock.now() };
      await store.savePosition(platform.db, row, 0);
    }
    return store.positionOf(platform.db, rideId);
  }

  /** What a device has said since its driver said that they are there; an earlier position is older than those words. */
  function sinceReached(last: LastPosition | null, { reachedAt }: BookingRow): LastPosition | null {
    return last !== null && reachedAt !== null && last.at >= reachedAt ? last : null;
  }

  /**
   * A step that comes in after the passenger has reported the driver: done before that, with the position of the device at
   * the pick-up, it contradicts the report, and an admin decides. False where there is no such report.
   */
  async function contradicts({ tx }: Scene, booking: BookingRow, told: Told): Promise<boolean> {
    const reportedAt = await rides.reports.reportedAt(tx, booking);
    if (reportedAt === null) return false;
    const doneAt = told.doneAt === undefined ? clock.now() : new Date(told.doneAt);
    const pickup = { lon: booking.pickupLon, lat: booking.pickupLat };
    const wasAt = told.at !== undefined && wasThere(pickup, { ...told.at, at: doneAt }, doneAt) === true;
    if (!wasAt || doneAt > reportedAt) throw stale();
    await rides.reports.contest(tx, booking);
    return true;
  }

  /** Whether the server was away between the hour before a departure and an instant after it. */
  function sawNothing(tx: Db, ride: RideRow, until: Date): Promise<boolean> {
    return uptime.wasAway(tx, later(ride.departsAt, -gatherBeforeMs), until);
  }

  /** What did not happen while the server was away proves nothing: true where both sides are asked instead. */
  async function isAsked({ tx, ride, bookings }: Scene, until: Date): Promise<boolean> {
    if (ride.unclearAt !== null) return true;
    return (await sawNothing(tx, ride, until)) && rides.unclear.ask(tx, ride, bookings);
  }

  function sayNotRidden({ tx, ride }: Scene, { id }: BookingRow): Promise<void> {
    return rides.unclear.note(tx, ride, { bookingId: id, side: 'passenger', tookPlace: false });
  }

  /** Nobody has said anything for hours: a meeting that one side confirmed took place, one that nobody did was missed by the driver. */
  async function giveUpComing(scene: Scene): Promise<void> {
    const { tx } = scene;
    for (const [index, booking] of scene.bookings.entries()) {
      if (booking.state === 'picking')
        scene.bookings[index] = await moves.moveBooking(tx, booking, 'board', bySystem);
      else if (booking.state === 'waiting' || booking.state === 'driver reached') {
        scene.bookings[index] = await moves.moveBooking(tx, booking, 'reportDriver', bySystem, {
          fault: 'driver',
          endedAt: clock.now(),
        });
        const isContradicted = booking.reachedBy === 'position';
        await rides.reports.open(tx, scene.bookings[index], { by: 'system', isContradicted });
        await settle.leaveRoute(tx, scene.ride, booking);
        await settle.request(tx, booking.requestId);
      }
    }
  }
}
