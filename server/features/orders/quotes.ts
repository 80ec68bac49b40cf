import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import type { Place } from '#contract/units.ts';
import { freePermille, inTraffic } from '#roads/graph/traffic.ts';
import type { Route } from '#roads/graph/network.ts';
import type { App } from '../../app-type.ts';
import { refuseField } from '../../platform/refusal.ts';
import { trafficPermilleIn, timeZoneAt, locatePlace, roadNetwork, pointAt } from '../geo/service.ts';
import { defaultMaxDetourMs, viaStandsMs, wholeHundreds, wholeMinutes } from '../matching/service.ts';
import { askedShares } from './open/queries.ts';

const metresPerMile = 1609.344;

/**
 * The drive between two places, and the advised share for it.
 * @param way.localHour the hour at the start whose traffic counts; null for a free road.
 */
export async function quoteOrder(
  app: App,
  way: { from: Place; via: Place[]; to: Place; localHour: string | null },
): Promise<OutputOf<typeof calls.quote>> {
  const { legs } = locateLegs(app, way, '');
  const permille = way.localHour === null ? freePermille : trafficPermilleIn(app, way.from, way.localHour);
  const route = viewOfDrives(legs, permille);
  const aloneMs = legs.reduce(
    (sum, leg) => sum + inTraffic(leg.milliseconds, permille),
    viaStandsMs * way.via.length,
  );
  const asked = await askedShares(app.db, route.metres);
  return {
    route,
    timeZone: timeZoneAt(way.from.lon, way.from.lat),
    advisedShareCents: Math.round((route.metres / metresPerMile) * app.env.ADVISED_CENTS_PER_MILE),
    askedLowCents: asked.low,
    askedHighCents: asked.high,
    defaultMaxDetourSeconds: Math.round(defaultMaxDetourMs(aloneMs) / 1000),
  };
}

const sameSpotMetres = 50;

/** A route as shown to people who do not ride along. */
export const inWholeSteps = <R extends { seconds: number; metres: number }>(route: R): R => ({
  ...route,
  seconds: wholeMinutes(route.seconds * 1000) / 1000,
  metres: wholeHundreds(route.metres),
});

/** The drive from one place to another through stops, leg by leg, checked as `locateWay` does. */
export function locateLegs(
  app: App,
  { from, via, to }: { from: Place; via: readonly Place[]; to: Place },
  field: string,
): { legs: Route[]; estimated: boolean } {
  const places = [from, ...via, to];
  const fields = [`${field}from`, ...via.map((_, index) => `${field}via.${index}`), `${field}to`];
  const points = places.map((place, index) => locatePlace(app, place, fields[index]!));
  const legs = points.slice(1).map((point, index) => {
    // A stop is blamed before the end.
    const blamed = index === via.length && index > 0 ? fields[index]! : fields[index + 1]!;
    const route = roadNetwork(app).route(points[index]!, point);
    if (route === null)
      throw refuseField('place.noRoute', blamed, 'You can’t drive between these two places.');
    if (route.metres < sameSpotMetres)
      throw refuseField('place.same', blamed, 'Please choose two different places.');
    return route;
  });
  return { legs, estimated: legs.some((leg) => leg.estimated) };
}

/** The drive between two chosen places; refuses places that no road reaches, and two that are the same. */
export function locateWay(
  app: App,
  from: Place,
  to: Place,
  field: string,
): { route: Route; estimated: boolean } {
  const { legs, estimated } = locateLegs(app, { from, via: [], to }, field);
  return { route: legs[0]!, estimated };
}

/** The view of consecutive drives, in traffic given in permille of a free road. */
const viewOfDrives = (parts: readonly Route[], trafficPermille: number) => ({
  line: parts.flatMap((part) => part.line),
  seconds: Math.round(
    parts.reduce((sum, part) => sum + inTraffic(part.milliseconds, trafficPermille), 0) / 1000,
  ),
  metres: parts.reduce((sum, part) => sum + part.metres, 0),
  streets: [...new Set(parts.flatMap((part) => part.streets.map((street) => street.name)))],
  estimated: parts.some((part) => part.estimated),
});

/** The line through places in order, or null where no road leads. */
export function routeThrough(
  app: App,
  points: readonly { lon: number; lat: number }[],
  trafficPermille: number,
): ReturnType<typeof viewOfDrives> | null {
  const parts: Route[] = [];
  for (let index = 0; index + 1 < points.length; index++) {
    const [from, to] = [pointAt(app, points[index]!), pointAt(app, points[index + 1]!)];
    const route = from === null || to === null ? null : roadNetwork(app).route(from, to);
    if (route === null) return null;
    parts.push(route);
  }
  return viewOfDrives(parts, trafficPermille);
}
