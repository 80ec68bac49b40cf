import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Db } from '../../platform/database/db.ts';
import { createInterruptedRides } from './interrupted/service.ts';
import { createCandidates } from './candidates.ts';
import { createCalendar } from './calendar.ts';
import type { OrderFeatures } from './context.ts';
import type { EditContext } from './edit-order.ts';
import { checkAccount, checkAmount, checkTime, checkWomen } from './order-checks.ts';
import { createMoney } from './money.ts';
import { createMoves } from './moves.ts';
import { createShareLinks } from './share-links/service.ts';
import { createOrderCommands } from './order-commands.ts';
import { createOrderQueries, type OrderQueries } from './order-queries.ts';
import { createOrderRows } from './order-rows.ts';
import { quoteOrder } from './quote-order.ts';
import { createAlternativeRoutes } from './alternative-routes.ts';
import { createBoardLate } from './board-late.ts';
import { createRecurringRides } from './recurring/service.ts';
import { createReports } from './reports/service.ts';
import { createUnclear } from './unclear/service.ts';
import { createCascade } from './cascade.ts';
import * as store from './store.ts';
import { isSameWay } from './rules/editing.ts';
import { createQuotes } from './quotes.ts';

export type OrderService = ReturnType<typeof createOrderService>;

/** Orders: publishing, reading and listing rides and requests, and the moves that features above build on. */
export function createOrderService(platform: Platform, features: OrderFeatures) {
  const { db } = platform;
  const { geo, matching, payments } = features;
  const money = createMoney(platform, payments);
  const moves = createMoves(platform, money);
  const cascade = createCascade(platform, moves, matching, payments);
  const quotes = createQuotes(geo, matching);
  const context: EditContext = { ...features, platform, moves, quotes, settle: cascade };
  const queries = createOrderQueries(platform, features, quotes);
  const { list, next, timeline, nearby, ofContacts, view, rideViews, requestViews, bookingView, ownBooking } =
    queries;
  const candidates = createCandidates(platform, geo, matching, queries, quotes, context);
  const recurring = createRecurringRides(platform, features, context);
  const shareLinks = createShareLinks(platform, geo, features.identity);

  return {
    moves,
    settle: cascade,
    money,
    boardLate: createBoardLate(platform, moves, cascade, matching),
    otherWay: createAlternativeRoutes(context),
    isSameWay,
    /** Rides that end on the way. */
    broken: createInterruptedRides(platform, features, { moves, settle: cascade, money }),
    /** Drivers who were reported not to have come. */
    reports: createReports(platform, features),
    /** Rides whose day the server did not see. */
    unclear: createUnclear(platform, features, { moves, settle: cascade, money }),
    ...createOrderRows(context),

    // What a plan that is not published is checked by: the same as one that is.
    locateWay: quotes.locateWay,
    checkTime: checkTime.bind(null, context),
    checkAmount: checkAmount.bind(null, context),
    checkAccount: checkAccount.bind(null, context),
    checkWomen: checkWomen.bind(null, context),

    list,
    next,

    detail: (idOrNumber: string, viewerId: string) =>
      orderDetail({ db, queries, recurring }, idOrNumber, viewerId),
    timeline,
    calendar: createCalendar(platform, features.identity, queries),
    nearby,
    ofContacts,
    view,
    rideViews,
    requestViews,
    bookingView,
    ownBooking,
    ...candidates,
    series: recurring,
    links: shareLinks,

    ...createOrderCommands(context, queries),
    quote: quoteOrder.bind(null, context),
  };
}

/** One order that the viewer may see, with its way and what it was planned together with. Refuses `order.notFound`. */
async function orderDetail(
  {
    db,
    queries,
    recurring,
  }: { db: Db; queries: OrderQueries; recurring: ReturnType<typeof createRecurringRides> },
  idOrNumber: string,
  viewerId: string,
): Promise<OutputOf<typeof calls.orderDetail>> {
  const { order, route, proposedRoute } = await queries.detail(idOrNumber, viewerId);
  const { role, id } = order;
  const [row] = await (role === 'driver' ? store.ridesByIds(db, [id]) : store.requestsByIds(db, [id]));
  const { pairedId, series } = await recurring.around(role, row!);
  const maySee = role === 'driver' ? store.maySeeRide : store.maySeeRequest;
  const isShown = pairedId !== null && (await maySee(db, pairedId, viewerId));
  return {
    order,
    route,
    proposedRoute,
    paired: isShown ? await queries.view(pairedId, viewerId) : null,
    series: order.mine ? series : null,
  };
}
