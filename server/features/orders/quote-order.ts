import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import type { Place } from '#contract/units.ts';
import { freePermille, inTraffic } from '#roads/graph/traffic.ts';
import type { App } from '../../app-type.ts';
import { trafficPermilleIn, timeZoneAt } from '../geo/service.ts';
import { defaultMaxDetourMs, viaStandsMs } from '../matching/service.ts';
import { askedShares } from './open/queries.ts';
import { locateLegs, viewOfDrives } from './quotes.ts';

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
