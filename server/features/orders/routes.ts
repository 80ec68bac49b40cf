import {
  audience,
  createOrder,
  discover,
  explain,
  listOrders,
  match,
  matchMap,
  matchPair,
  nextOrder,
  orderCalendar,
  orderDetail,
  orderTimeline,
  quote,
  updateOrder,
} from '#contract/rides/endpoints.ts';
import { preferencesOf } from '#contract/rides/preferences.ts';
import {
  createPair,
  createSeries,
  endSeries,
  listSeries,
  seriesDetail,
  skipDay,
  updateSeries,
} from '#contract/rides/recurring.ts';
import { lookAtLink, makeLink, openLink, readLink } from '#contract/rides/share-links.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { noSession, refuseField } from '../../platform/refusal.ts';
import { serveBookings } from './bookings/routes.ts';
import type { OrdersService } from './service.ts';

const at = (lon: number, lat: number) => ({ name: '-', detail: '', lon, lat });

export function serveOrders(serve: Serve, orders: OrdersService): void {
  const { series, links, bookings } = orders;
  serveBookings(serve, bookings);
  serve(createOrder, (input, caller) => orders.create(caller.userId, input.order));
  serve(createPair, (input, caller) => orders.createPair(caller.userId, input));
  serve(updateOrder, (input, caller) => orders.update(input.id, caller.userId, input.order));
  serve(listOrders, (input, caller) => orders.list(caller.userId, input));
  serve(nextOrder, async (input, caller) => ({ order: await orders.next(caller.userId, input.role) }));
  serve(orderDetail, (input, caller) => orders.detail(input.id, caller.userId));
  serve(orderCalendar, (input, caller) => orders.calendar(input.id, caller.userId));
  serve(orderTimeline, (input, caller) => orders.timeline(input.id, caller.userId));
  serve(quote, (input) =>
    orders.quote({
      from: at(input.fromLon, input.fromLat),
      via: input.via
        .split(';')
        .filter((each) => each !== '')
        .map((each) => {
          const [lon = 0, lat = 0] = each.split(',').map(Number);
          return at(lon, lat);
        }),
      to: at(input.toLon, input.toLat),
      localHour: input.localHour ?? null,
    }),
  );
  serve(matchMap, (input, caller) => orders.matchMap(input.rideId, input.requestId, caller.userId));
  serve(matchPair, (input, caller) => orders.matchPair(input.id, input.otherId, caller.userId));
  serve(explain, (input, caller) => orders.explain(input.rideId, input.requestId, caller.userId));
  serve(audience, (input, caller) => orders.audience(input.id, caller.userId));
  serve(createSeries, (input, caller) => series.create(caller.userId, input));
  serve(listSeries, (_input, caller) => series.list(caller.userId));
  serve(seriesDetail, (input, caller) => series.detail(input.id, caller.userId));
  serve(skipDay, (input, caller) => series.skip(input, caller.userId));
  serve(updateSeries, (input, caller) => series.update(input.id, caller.userId, input.series));
  serve(endSeries, (input, caller) => series.end(input.id, caller.userId));
  serve(readLink, (input, caller) => links.read(input.id, caller.userId));
  serve(makeLink, (input, caller) => links.make(input, caller.userId));
  serve(lookAtLink, (input) => links.look(input.code));
  serve(openLink, (input, caller) => links.open(input.code, caller.userId));
  serve(discover, (input, caller) => orders.nearby(input, caller?.userId ?? null, input));

  serve(match, async (input, caller) => {
    if (input.id !== undefined) {
      if (caller === null) throw noSession();
      return orders.match(input.id, caller.userId, input.offset);
    }
    const { fromLon, fromLat, toLon, toLat, earliestAt, latestAt } = input;
    if (fromLon === undefined || fromLat === undefined)
      throw refuseField('match.draftIncomplete', 'from', 'Please verify the starting point.');
    if (toLon === undefined || toLat === undefined)
      throw refuseField('match.draftIncomplete', 'to', 'Please select a destination.');
    if (earliestAt === undefined || latestAt === undefined)
      throw refuseField('match.draftIncomplete', 'earliestAt', 'Please select a time.');
    const draft = {
      from: at(fromLon, fromLat),
      to: at(toLon, toLat),
      earliestAt: new Date(earliestAt),
      latestAt: new Date(latestAt),
      seats: input.seats ?? 1,
      offerCents: input.offerCents ?? null,
      walkMetres: input.walkMetres ?? 600,
      preferences: preferencesOf(input.preferences),
    };
    return orders.matchDraft(draft, caller?.userId ?? null, input.offset);
  });
}
