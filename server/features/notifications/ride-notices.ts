import type { RequestMove, RideMove } from '#contract/rides/moves.ts';
import { requestProcess, rideProcess } from '../orders/service.ts';
import type { OfOrder } from './order-facts.ts';
import {
  notifyOf,
  notifyWith,
  openBookings,
  orderPage,
  ridePage,
  type NoticeContext,
} from './order-notices.ts';

/** Notifies of rides and requests themselves: published, departed, ended by an admin, reviewed. */
export function listenForRideNotices(context: NoticeContext): void {
  const { outbox } = context;
  outbox.on(
    'ride.moved',
    'notices',
    async ({ id, at, payload: { rideId, move, driverId, actor } }) => {
      const { notifies } = rideProcess[move as RideMove];
      if (notifies === 'driverIfByAdmin' && actor === 'admin')
        await notifyOf(context, { rideId }, driverId, {
          news: 'brokenOffByAdmin',
          source: `signal:${id}`,
          otherId: null,
          path: orderPage(rideId),
        });
      if (notifies === 'neighbours') await notifyNeighbours(context, { rideId }, `signal:${id}`);
      if (notifies !== 'passengers') return;
      for (const { passengerId, joinedAt } of await openBookings(context, rideId)) {
        if (joinedAt === null) continue;
        await notifyOf(context, { rideId }, passengerId, {
          news: 'departed',
          source: `signal:${id}`,
          otherId: driverId,
          path: ridePage(rideId),
          at,
        });
      }
    },
    ({ move }) => rideProcess[move as RideMove].notifies !== null,
  );
  outbox.on(
    'request.moved',
    'notices',
    ({ id, payload: { requestId } }) => notifyNeighbours(context, { requestId }, `signal:${id}`),
    ({ move }) => requestProcess[move as RequestMove].notifies === 'neighbours',
  );

  outbox.on('review.written', 'notices', ({ id, payload: { rideId, authorId, subjectId } }) =>
    notifyOf(context, { rideId }, subjectId, {
      news: 'reviewed',
      source: `signal:${id}`,
      otherId: authorId,
      path: '/pages/order/review',
    }),
  );
}

/** Notifies people who chose it of a published order that begins or ends near them. */
async function notifyNeighbours(context: NoticeContext, of: OfOrder, source: string): Promise<void> {
  const [news, orderId] =
    'rideId' in of ? (['rideNearby', of.rideId] as const) : (['requestNearby', of.requestId] as const);
  const neighbours = await context.notifications.neighboursOf(of);
  if (neighbours.length === 0) return;
  const order = await context.notifications.orderFacts.ofOthers(of, neighbours[0]!);
  for (const userId of neighbours)
    await notifyWith(context, { of, order }, userId, {
      news,
      source,
      otherId: null,
      path: orderPage(orderId),
    });
}
