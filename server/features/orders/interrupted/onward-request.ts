import { inTraffic } from '#roads/graph/traffic.ts';
import type { App } from '../../../app-type.ts';
import { later } from '../../../platform/clock.ts';
import { trafficPermilleAt } from '../../geo/service.ts';
import { arriveByMs, travelBetween, spotsNear } from '../../matching/service.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { bySystem } from '../decide/move-log.ts';
import { moveRequest } from '../decide/moves.ts';
import { strandedWindowMs } from '../rules/rebooking.ts';
import { takeTime } from '../decide/time.ts';
import * as store from '../store.ts';
import type { Assessment } from './assess.ts';

/** A passenger this near to their destination needs no other ride. */
const arrivedMetres = 200;

/**
 * Reopens the request of a passenger on board from where the ride ended, for an hour. Where that place is
 * unknown, where they have arrived, or where they have another order then, the request ends.
 */
export async function openOnwardRequest(
  app: App,
  locked: LockedOrders,
  requestId: string,
  from: Assessment,
): Promise<void> {
  const request = await locked.lockRequest(requestId);
  if (request?.state !== 'joined') return;
  if (await moveStart(app, locked, request, from)) return;
  const set = { endedAt: app.clock.now() };
  moveRequest(app, locked, request, { move: 'cancel', by: bySystem, set });
  locked.spans.free(requestId);
}

/** Moves the start of the request to where its passenger is; false where it cannot. */
async function moveStart(
  app: App,
  locked: LockedOrders,
  request: store.RequestRow,
  { source, at, place, detail }: Assessment,
): Promise<boolean> {
  const to = { lon: request.toLon, lat: request.toLat };
  const travel = source === 'stop' ? null : travelBetween(app, at, to);
  if (travel === null || travel.metres < arrivedMetres) return false;
  const now = app.clock.now();
  const latestAt = later(now, strandedWindowMs);
  const driveMs = inTraffic(travel.milliseconds, trafficPermilleAt(app, at, latestAt));
  const taking = { id: request.id, personId: request.passengerId, from: now, to: later(latestAt, driveMs) };
  if (!takeTime(locked, taking)) return false;
  locked.editRequest(request.id, {
    fromName: place,
    fromDetail: detail,
    fromLon: at.lon,
    fromLat: at.lat,
    driveMs,
    driveMetres: travel.metres,
    earliestAt: now,
    latestAt,
    arriveBy: new Date(arriveByMs(latestAt.getTime(), driveMs)),
    pickupMeetingPoints: spotsNear(app, at, request.walkMetres),
  });
  return true;
}
