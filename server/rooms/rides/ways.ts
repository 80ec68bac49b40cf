import type { Place } from '#contract/units.ts';
import type { Route } from '#roads/network.ts';
import { refuseField } from '../../base/refusal.ts';
import type { GeoService } from '../geo/service.ts';
import type { MatchingService } from '../matching/service.ts';

const sameSpotMetres = 50;

export type Ways = ReturnType<typeof createWays>;

/** The ways that orders take on the loaded roads. */
export function createWays(geo: GeoService, matching: MatchingService) {
  /** The drive between two chosen places; refuses places no road reaches, and two that are one. */
  function locateWay(from: Place, to: Place, field: string): { route: Route; estimated: boolean } {
    const [start, end] = [geo.locate(from, `${field}from`), geo.locate(to, `${field}to`)];
    const route = geo.network.route(start, end);
    if (route === null)
      throw refuseField('place.noRoute', `${field}to`, 'There is no way to drive between these two places.');
    if (route.metres < sameSpotMetres)
      throw refuseField('place.same', `${field}to`, 'Please choose two different places.');
    return { route, estimated: route.estimated };
  }

  const routeView = (route: Route) => ({
    line: route.line,
    seconds: Math.round(route.milliseconds / 1000),
    metres: route.metres,
    estimated: route.estimated,
    streets: [...new Set(route.streets.map((street) => street.name))],
  });

  /** The line through places in order, or null where no road leads. */
  function routeThrough(
    points: readonly { lon: number; lat: number }[],
  ): ReturnType<typeof routeView> | null {
    const parts: Route[] = [];
    for (let index = 0; index + 1 < points.length; index++) {
      const [from, to] = [matching.pointAt(points[index]!), matching.pointAt(points[index + 1]!)];
      const route = from === null || to === null ? null : geo.network.route(from, to);
      if (route === null) return null;
      parts.push(route);
    }
    return {
      line: parts.flatMap((part) => part.line),
      seconds: Math.round(parts.reduce((sum, part) => sum + part.milliseconds, 0) / 1000),
      metres: parts.reduce((sum, part) => sum + part.metres, 0),
      streets: [...new Set(parts.flatMap((part) => part.streets.map((street) => street.name)))],
      estimated: parts.some((part) => part.estimated),
    };
  }

  return { locateWay, routeView, routeThrough };
}
