import * as calls from '#contract/rides/endpoints.ts';
import { preferencesOf } from '#contract/rides/preferences.ts';
import * as recurringCalls from '#contract/rides/recurring.ts';
import * as shareLinksCalls from '#contract/rides/share-links.ts';
import type { Serve } from '../../app-type.ts';
import { noSession, refuseField } from '../../platform/refusal.ts';
import { serveBookings } from './bookings/routes.ts';
import { calendarOf, orderDetail, orderTimeline } from './order-detail.ts';
import { countAudience } from './candidates/count-audience.ts';
import { explainMatch, matchMap } from './candidates/match-map.ts';
import { matchPair, matchOrder, matchDraft } from './candidates/match-order.ts';
import { listOrders, nextOrder } from './lists/list-orders.ts';
import { openOrdersNear } from './open-orders.ts';
import { createOrder, createOrderPair, updateOrder } from './order-commands.ts';
import { quoteOrder } from './quotes.ts';
import { changeRecurring } from './recurring/change-recurring.ts';
import { createRecurring } from './recurring/create-recurring.ts';
import { endRecurring, skipDay } from './recurring/end-recurring.ts';
import { listRecurring, recurringDetail } from './recurring/read-recurring.ts';
import { viewLinkedOrder, openLink, readOwnLink, makeLink } from './share-links/share-link.ts';

const at = (lon: number, lat: number) => ({ name: '-', detail: '', lon, lat });

export function serveOrders(serve: Serve): void {
  serveBookings(serve);
  serve(calls.createOrder, (app, input, caller) => createOrder(app, caller.userId, input.order));
  serve(recurringCalls.createPair, (app, input, caller) => createOrderPair(app, caller.userId, input));
  serve(calls.updateOrder, (app, input, caller) => updateOrder(app, input.id, caller.userId, input.order));
  serve(calls.listOrders, (app, input, caller) => listOrders(app, caller.userId, input));
  serve(calls.nextOrder, async (app, input, caller) => ({
    order: await nextOrder(app, caller.userId, input.role),
  }));
  serve(calls.orderDetail, (app, input, caller) => orderDetail(app, input.id, caller.userId));
  serve(calls.orderCalendar, (app, input, caller) => calendarOf(app, input.id, caller.userId));
  serve(calls.orderTimeline, (app, input, caller) => orderTimeline(app, input.id, caller.userId));
  serve(calls.quote, (app, input) =>
    quoteOrder(app, {
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
  serve(calls.matchMap, (app, input, caller) => matchMap(app, input.rideId, input.requestId, caller.userId));
  serve(calls.matchPair, (app, input, caller) => matchPair(app, input.id, input.otherId, caller.userId));
  serve(calls.explain, (app, input, caller) =>
    explainMatch(app, input.rideId, input.requestId, caller.userId),
  );
  serve(calls.audience, (app, input, caller) => countAudience(app, input.id, caller.userId));
  serve(recurringCalls.createSeries, (app, input, caller) => createRecurring(app, caller.userId, input));
  serve(recurringCalls.listSeries, (app, _input, caller) => listRecurring(app, caller.userId));
  serve(recurringCalls.seriesDetail, (app, input, caller) => recurringDetail(app, input.id, caller.userId));
  serve(recurringCalls.skipDay, (app, input, caller) => skipDay(app, input, caller.userId));
  serve(recurringCalls.updateSeries, (app, input, caller) =>
    changeRecurring(app, input.id, caller.userId, input.series),
  );
  serve(recurringCalls.endSeries, (app, input, caller) => endRecurring(app, input.id, caller.userId));
  serve(shareLinksCalls.readLink, (app, input, caller) => readOwnLink(app, input.id, caller.userId));
  serve(shareLinksCalls.makeLink, (app, input, caller) => makeLink(app, input, caller.userId));
  serve(shareLinksCalls.lookAtLink, (app, input) => viewLinkedOrder(app, input.code));
  serve(shareLinksCalls.openLink, (app, input, caller) => openLink(app, input.code, caller.userId));
  serve(calls.discover, (app, input, caller) => openOrdersNear(app, input, caller?.userId ?? null, input));

  serve(calls.match, async (app, input, caller) => {
    if (input.id !== undefined) {
      if (caller === null) throw noSession();
      return matchOrder(app, input.id, caller.userId, input.offset);
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
    return matchDraft(app, draft, caller?.userId ?? null, input.offset);
  });
}
