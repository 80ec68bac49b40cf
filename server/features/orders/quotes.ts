import type { Place } from '#contract/units.ts';
import type { Route } from '#roads/graph/network.ts';
import { inTraffic } from '#roads/graph/traffic.ts';
import type { App } from '../../app-type.ts';
import { refuseField } from '../../platform/refusal.ts';
import { locatePlace, roadNetwork, pointAt } from '../geo/service.ts';
import { wholeHundreds, wholeMinutes } from '../matching/service.ts';

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
export const viewOfDrives = (parts: readonly Route[], trafficPermille: number) => ({
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
