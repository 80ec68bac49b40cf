import type { LonLat } from '#roads/graph/geometry.ts';
import type { App } from '../../app-type.ts';
import { Refusal, refuseField } from '../../platform/refusal.ts';
import {
  rideMovedOn,
  type BookingRow,
  type By,
  settleBooking,
  reportedAt,
  moveBooking,
  moveRide,
  rideById,
  contestReport,
} from '../orders/service.ts';
import { evidenceNote, evidenceOf, wasThere, type Evidence, type LastPosition } from './rules/being-there.ts';
import { asDriver, bookingOn, viewRide, type Scene } from './scene.ts';
import * as store from './store.ts';

type Shown = Exclude<Evidence, { by: 'nothing' }>;

/** A driver's report of being at a place. */
interface Told {
  at?: LonLat | undefined;
  reason: string;
  /** When the driver was there, where the phone was offline then. */
  doneAt?: string | undefined;
}

/**
 * The driver is at the starting point, or with `bookingId` at that passenger's pick-up. Refuses, by `reason`,
 * a driver whose device is elsewhere and who gives no reason, where a passenger boards.
 */
export async function reach(
  app: App,
  { id: rideId, bookingId, ...told }: { id: string; bookingId?: string | undefined } & Told,
  driverId: string,
) {
  const last = await notePosition(app, rideId, driverId, told.at);
  await asDriver(app, rideId, driverId, (scene, by) =>
    bookingId === undefined
      ? reachStart(app, scene, { by, told, last })
      : reachPickup(app, scene, bookingOn(scene, bookingId), { by, told, last }),
  );
  return viewRide(app, rideId, driverId);
}

/** A driver's report of being at a place, and their device's last position. */
interface Arrival {
  by: By;
  told: Told;
  last: LastPosition | null;
}

async function reachPickup(
  app: App,
  scene: Scene,
  booking: BookingRow,
  { by, told, last }: Arrival,
): Promise<void> {
  const { locked } = scene;
  if (await contradictsReport(app, scene, booking, told)) return;
  if (!scene.mayBooking(booking, 'driver').includes('reach')) throw rideMovedOn();
  const now = app.clock.now();
  const pickup = { lon: booking.pickupLon, lat: booking.pickupLat };
  const shown = shownToBeAt(pickup, told, { last, now });
  const set = { reachedAt: now, reachedBy: shown.by };
  const note = evidenceNote(shown);
  settleBooking(app, locked, moveBooking(app, locked, booking, { move: 'reach', by, set, note }));
}

async function reachStart(app: App, scene: Scene, { by, told, last }: Arrival): Promise<void> {
  const { locked, ride } = scene;
  if (ride.state === 'matching' || ride.state === 'full')
    throw new Refusal('order.tooEarly', 'This starts one hour before departure, once a rider has joined.', {
      code: 409,
    });
  if (!scene.may.includes('reach')) throw rideMovedOn();
  const now = app.clock.now();
  const start = { lon: ride.fromLon, lat: ride.fromLat };
  const isMeeting = scene.bookings.some(
    (booking) => booking.state === 'waiting' && scene.boardsAtStart(booking),
  );
  // Where no passenger boards, no fee and no report depends on where the driver was: their word is enough.
  const shown = isMeeting
    ? shownToBeAt(start, told, { last, now })
    : withoutReason(evidenceOf(start, told, { last, now }));
  const set = { reachedAt: now, reachedBy: shown.by };
  const note = evidenceNote(shown);
  moveRide(app, locked, ride, { move: 'reach', by, set, note });
  for (const booking of scene.bookings)
    if (booking.state === 'waiting' && scene.boardsAtStart(booking))
      moveBooking(app, locked, booking, { move: 'reach', by, set, note });
}

/** The driver's word as evidence, also where they give no reason. */
const withoutReason = (evidence: Evidence): Shown =>
  evidence.by === 'nothing' ? { by: 'words', reason: '', metresAway: evidence.metresAway } : evidence;

/** The evidence that a driver is at a place. Refuses `order.placeUnknown`, `order.notThere`. */
function shownToBeAt(place: LonLat, told: Told, known: { last: LastPosition | null; now: Date }): Shown {
  const evidence = evidenceOf(place, told, known);
  if (evidence.by !== 'nothing') return evidence;
  const { metresAway } = evidence;
  if (metresAway === null)
    throw refuseField(
      'order.placeUnknown',
      'reason',
      'Please allow your location, or say why we can’t see it.',
    );
  throw refuseField(
    'order.notThere',
    'reason',
    `Your phone shows you ${metresAway} meters from there. If you’re there, please say why.`,
    { metresAway },
  );
}

/**
 * Stores the position of the driver's device, even where the call is refused later, and returns the last one.
 */
async function notePosition(
  app: App,
  rideId: string,
  driverId: string,
  at: LonLat | undefined,
): Promise<LastPosition | null> {
  const { db, clock } = app;
  const ride = await rideById(app.db, rideId);
  if (ride === null || ride.driverId !== driverId) return null;
  if (at !== undefined) {
    const row = { rideId, driverId, lon: at.lon, lat: at.lat, headingDegrees: null, at: clock.now() };
    await store.savePosition(db, row, 0);
  }
  return store.positionOf(db, rideId);
}

/**
 * A step synced after the passenger has reported the driver: one done before the report, with the device at
 * the pick-up, contradicts it, and an admin decides. False where there is no such report.
 */
async function contradictsReport(
  app: App,
  { locked }: Scene,
  booking: BookingRow,
  told: Told,
): Promise<boolean> {
  const openedAt = await reportedAt(locked, booking);
  if (openedAt === null) return false;
  const doneAt = told.doneAt === undefined ? app.clock.now() : new Date(told.doneAt);
  const pickup = { lon: booking.pickupLon, lat: booking.pickupLat };
  const wasAt = told.at !== undefined && wasThere(pickup, { ...told.at, at: doneAt }, doneAt) === true;
  if (!wasAt || doneAt > openedAt) throw rideMovedOn();
  await contestReport(app, locked, booking);
  return true;
}
