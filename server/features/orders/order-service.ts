import type { App } from '../../app-type.ts';
import { createInterruptedRides } from './interrupted/service.ts';
import { createCandidates } from './candidates/service.ts';
import { createCalendar } from './calendar.ts';
import type { OrderFeatures } from './context.ts';
import type { EditContext } from './edit-order.ts';
import { checkAccount, checkAmount, checkPrice, checkTime, checkWomen } from './order-checks.ts';
import { createMoney } from './money.ts';
import { createMoves } from './moves.ts';
import { createShareLinks } from './share-links/service.ts';
import { createOrderCommands } from './order-commands.ts';
import { createOrderQueries } from './order-queries.ts';
import { createOrderRows } from './order-rows.ts';
import { quoteOrder } from './quote-order.ts';
import { createAlternativeRoutes } from './alternative-routes.ts';
import { createBoardLate } from './board-late.ts';
import { createRecurringRides } from './recurring/service.ts';
import { createReports } from './reports/service.ts';
import { createUnclear } from './unclear/service.ts';
import { createCascade } from './cascade.ts';
import { isSameWay } from './rules/edit-rules.ts';
import { createQuotes } from './quotes.ts';

export type OrderService = ReturnType<typeof createOrderService>;

/** Orders: publishing, reading and listing rides and requests, and the moves that features above build on. */
export function createOrderService(platform: App, features: OrderFeatures) {
  const money = createMoney(platform);
  const moves = createMoves(platform, money);
  const cascade = createCascade(platform, moves);
  const quotes = createQuotes(platform);
  const context: EditContext = { ...features, platform, moves, quotes, settle: cascade };
  const queries = createOrderQueries(context);
  const effects = { moves, settle: cascade, money };

  return {
    moves,
    settle: cascade,
    money,
    boardLate: createBoardLate(platform, moves, cascade),
    otherWay: createAlternativeRoutes(context),
    isSameWay,
    /** Rides that end on the way. */
    broken: createInterruptedRides(platform, effects),
    /** Drivers whom a passenger reported as not having come. */
    reports: createReports(platform, features),
    /** Rides whose day fell into an outage of the server. */
    unclear: createUnclear({ platform, ...features, ...effects }),
    ...createOrderRows(context),

    // Checks for a plan that is not published: the same as for one that is.
    locateWay: quotes.locateWay,
    checkTime: checkTime.bind(null, context),
    checkAmount: checkAmount.bind(null, context),
    checkPrice,
    checkAccount: checkAccount.bind(null, context),
    checkWomen: checkWomen.bind(null, context),

    ...queries,
    calendar: createCalendar(platform, queries),
    ...createCandidates(context),
    series: createRecurringRides(context),
    links: createShareLinks(context),

    ...createOrderCommands(context, queries),
    quote: quoteOrder.bind(null, context),
  };
}
