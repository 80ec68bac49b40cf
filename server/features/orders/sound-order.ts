import { isOfferTooLow } from '#contract/rides/lowest-prices.ts';
import { inTraffic } from '#roads/graph/traffic.ts';
import type { App } from '../../app-type.ts';
import { dayMs, later, minuteMs } from '../../platform/clock.ts';
import { refuseField } from '../../platform/refusal.ts';
import { trafficPermilleAt, timeZoneAt } from '../geo/service.ts';
import { arriveByMs, planAlone, type Via, spotsNear } from '../matching/service.ts';
import { checkAmount, checkPrice, checkTime } from './order-checks.ts';
import { maxDetourOf, type RequestInput, type RideInput } from './order-input.ts';
import { locateLegs, locateWay } from './quotes.ts';
import { columnsOfEnds } from './rules/ends.ts';

/**
 * Checks an entered ride against the roads and the prices: returns its columns, and its plan with no
 * passengers.
 */
export function soundRide(app: App, order: RideInput) {
  const departsAt = new Date(order.departsAt);
  checkTime(app, departsAt, 'order.departsAt');
  const { legs, estimated } = locateLegs(app, order, 'order.');
  checkPrice(order, 'order.costCents');
  checkAmount(app, order.costCents, 'order.costCents');
  const latestDepartsAt = later(departsAt, order.flexMinutes * minuteMs);
  const trafficPermille = trafficPermilleAt(app, order.from, departsAt);
  const alone = planAlone({
    from: order.from,
    to: order.to,
    drive: legs[0]!,
    via: order.via.map(({ lon, lat }, index): Via => ({ lon, lat, drive: legs[index + 1]! })),
    seats: order.seats,
    maxDetourMs: 0,
    earliestDepartsMs: departsAt.getTime(),
    latestDepartsMs: latestDepartsAt.getTime(),
    trafficPermille,
  });
  const maxDetourMs = maxDetourOf(order, alone.aloneMs);
  const plan = { ...alone, maxDetourMs };
  const columns = {
    ...columnsOfEnds(order),
    timeZone: timeZoneAt(order.from.lon, order.from.lat),
    estimated,
    via: order.via,
    trafficPermille,
    driveMs: plan.aloneMs,
    driveMetres: legs.reduce((sum, leg) => sum + leg.metres, 0),
    earliestDepartsAt: departsAt,
    latestDepartsAt,
    departsAt,
    arrivesAt: later(departsAt, plan.aloneMs),
    priceKind: order.priceKind,
    costCents: order.costCents,
    maxDetourMs,
  };
  return { columns, plan, taken: { from: departsAt, to: later(latestDepartsAt, plan.aloneMs) } };
}

/** The same for a request. */
export function soundRequest(app: App, order: RequestInput) {
  const [earliestAt, latestAt] = [new Date(order.earliestAt), new Date(order.latestAt)];
  if (latestAt < earliestAt || latestAt > later(earliestAt, dayMs))
    throw refuseField(
      'order.windowWrong',
      'order.latestAt',
      'Please select a time window of up to 24 hours.',
    );
  checkTime(app, latestAt, 'order.latestAt');
  const { route, estimated } = locateWay(app, order.from, order.to, 'order.');
  checkOffer(app, order);
  // Traffic at the end of the window, from which the time to arrive is counted.
  const driveMs = inTraffic(route.milliseconds, trafficPermilleAt(app, order.from, latestAt));
  const columns = {
    ...columnsOfEnds(order),
    timeZone: timeZoneAt(order.from.lon, order.from.lat),
    estimated,
    driveMs,
    driveMetres: route.metres,
    seats: order.seats,
    earliestAt,
    latestAt,
    arriveBy: new Date(arriveByMs(latestAt.getTime(), driveMs)),
    offerCents: order.offerCents,
    walkMetres: order.walkMetres,
    pickupMeetingPoints: spotsNear(app, order.from, order.walkMetres),
    dropoffMeetingPoints: spotsNear(app, order.to, order.walkMetres),
  };
  return { columns, taken: { from: earliestAt, to: later(latestAt, driveMs) } };
}

function checkOffer(app: App, { offerCents, seats }: RequestInput): void {
  if (offerCents === null) return;
  if (isOfferTooLow(offerCents))
    throw refuseField(
      'order.offerTooLow',
      'order.offerCents',
      'Please offer more than $5 per person to the driver.',
    );
  checkAmount(app, offerCents * seats, 'order.offerCents');
}

/** The span of time an order takes; refuses an order that fails its checks. */
export const timeOf = (app: App, order: RideInput | RequestInput): { from: Date; to: Date } =>
  order.role === 'driver' ? soundRide(app, order).taken : soundRequest(app, order).taken;
