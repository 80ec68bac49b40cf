import { gatheredRideStates, onTheWayRideStates, seatedStates } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import {
  changeOrders,
  followLatePayments,
  claimDueRide,
  rideLookedAt,
  followClock,
  closeAsks,
  moveRide,
  settleRequests,
  settleRide,
  moveBooking,
  openReport,
  leaveRoute,
  settleRequest,
  askBothSides,
  abandonedAfterMs,
  bySystem,
  unjoinedEndsAfterMs,
} from '../orders/service.ts';
import { endRide, leaveStart } from './depart-and-arrive.ts';
import { sceneOf, type Scene } from './scene.ts';
import { isAsked } from './no-show.ts';

/**
 * Makes a ride's scheduled moves that are due: gather, expire, or end after hours without a move. Does
 * nothing where another process was first, or has the ride locked.
 */
export async function catchUp(app: App, rideId: string): Promise<void> {
  await followLatePayments(app, { rideIds: [rideId] });
  await changeOrders(
    app,
    'catch up with rides',
    async (locked) => {
      // Orders that become due during this check are checked again.
      const now = app.clock.now();
      if (!(await claimDueRide(await locked.db(), rideId, now))) return;
      const scene = await sceneOf(app, locked, rideId);
      const { state } = scene.ride;
      await moveByClock(app, scene);
      await rideLookedAt(await locked.db(), { id: rideId, state }, now);
    },
    rideId,
  );
}

async function moveByClock(app: App, scene: Scene): Promise<void> {
  const { locked, ride, bookings } = scene;
  if (followClock(app, locked, ride)) return;
  const now = app.clock.now();
  const isOver = (from: Date, afterMs: number) => now >= later(from, afterMs);
  const isJoined = bookings.some(({ state }) => seatedStates.includes(state));
  if (ride.state === 'matching' || ride.state === 'full') {
    if (isOver(ride.latestDepartsAt, unjoinedEndsAfterMs) && !isJoined) await expireRide(app, scene);
  } else if (gatheredRideStates.includes(ride.state)) {
    if (isOver(ride.latestDepartsAt, abandonedAfterMs)) await endGathered(app, scene);
  } else if (onTheWayRideStates.includes(ride.state) && isOver(ride.arrivesAt, abandonedAfterMs))
    await endUnderWay(app, scene);
}

async function expireRide(app: App, { locked, ride, bookings }: Scene): Promise<void> {
  closeAsks(app, locked, bookings, { how: 'expire', reason: 'closed' });
  const set = { endedAt: app.clock.now() };
  moveRide(app, locked, ride, { move: 'expire', by: bySystem, set });
  locked.spans.free(ride.id);
  settleRequests(app, locked, bookings);
}

/** Ends a ride whose driver has not departed in the app, hours after the departure. */
async function endGathered(app: App, scene: Scene): Promise<void> {
  if (await isAsked(app, scene, later(scene.ride.latestDepartsAt, abandonedAfterMs))) return;
  if (await giveUpComing(app, scene)) return;
  // With a passenger on board it has left, whether or not its driver said so; it ends when it should have
  // arrived.
  if (scene.bookings.some(({ state }) => state === 'picked')) await leaveStart(app, scene, bySystem);
  else await expireRide(app, scene);
}

/** Ends a ride whose driver has not arrived in the app, hours after the expected arrival. */
async function endUnderWay(app: App, scene: Scene): Promise<void> {
  const { locked, ride } = scene;
  if (await isAsked(app, scene, later(ride.arrivesAt, abandonedAfterMs))) return;
  if (await giveUpComing(app, scene)) return;
  settleRide(app, locked, ride.id);
  const settled = await locked.lockRide(ride.id);
  const bookings = locked.bookingsOfRide(ride.id);
  await endRide(app, { ...scene, ride: settled!, bookings }, bySystem);
}

/**
 * After hours without a move: a meeting that neither side has confirmed counts as missed by the driver. True
 * where one side alone has confirmed one: that is no boarding, and both are asked.
 */
async function giveUpComing(app: App, scene: Scene): Promise<boolean> {
  const { locked, ride, bookings } = scene;
  for (const [index, booking] of bookings.entries()) {
    if (booking.state === 'waiting' || booking.state === 'driver reached') {
      const set = { fault: 'driver', endedAt: app.clock.now() } as const;
      const missed = moveBooking(app, locked, booking, { move: 'reportDriver', by: bySystem, set });
      bookings[index] = missed;
      await openReport(app, locked, missed, {
        by: 'system',
        isContradicted: booking.reachedBy === 'position',
      });
      leaveRoute(app, locked, ride, booking);
      settleRequest(app, locked, booking.requestId);
    }
  }
  const oneSided = bookings.filter(({ state }) => state === 'picking');
  return askBothSides(app, locked, ride, oneSided);
}
