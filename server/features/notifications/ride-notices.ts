import type { RequestMove, RideMove } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import type { SignalOf } from '../../platform/events/listeners.ts';
import { requestProcess, rideProcess } from '../orders/service.ts';
import type { Drafting, Gathered, OrderNoticeDraft } from './drafts.ts';
import { factsOfOthers, type OfOrder } from './order-facts.ts';
import { openBookings, orderPage, ridePage } from './order-notices.ts';

/** Notifies of rides and requests themselves: published, departed, ended by an admin, reviewed. */
export const rideNotices = (app: App): Drafting => ({
  'ride.moved': {
    concerns: ({ move }) => rideProcess[move as RideMove].notifies !== null,
    drafts: (signal, gathered) => draftsOfRide(app, signal, gathered),
  },
  'request.moved': {
    concerns: ({ move }) => requestProcess[move as RequestMove].notifies === 'neighbors',
    drafts: ({ id, payload: { requestId } }, gathered) =>
      draftsToNeighbours(app, { requestId }, `signal:${id}`, gathered),
  },
  'review.written': {
    concerns: true,
    drafts: ({ id, payload: { rideId, authorId, subjectId } }) => [
      {
        userId: subjectId,
        news: 'reviewed',
        of: { rideId },
        source: `signal:${id}`,
        otherId: authorId,
        path: '/pages/order/review',
        facts: {},
      },
    ],
  },
});

async function draftsOfRide(
  app: App,
  { id, at, payload: { rideId, move, driverId, actor } }: SignalOf<'ride.moved'>,
  gathered: Gathered,
): Promise<OrderNoticeDraft[]> {
  const { notifies } = rideProcess[move as RideMove];
  const about = { of: { rideId }, source: `signal:${id}`, facts: {} };
  if (notifies === 'neighbors') return draftsToNeighbours(app, about.of, about.source, gathered);
  if (notifies === 'driverIfByAdmin' && actor === 'admin')
    return [{ ...about, userId: driverId, news: 'brokenOffByAdmin', otherId: null, path: orderPage(rideId) }];
  if (notifies !== 'passengers') return [];
  return (await openBookings(app, rideId)).flatMap(({ passengerId, joinedAt }) =>
    joinedAt === null
      ? []
      : [
          {
            ...about,
            userId: passengerId,
            news: 'departed' as const,
            otherId: driverId,
            path: ridePage(rideId),
            at,
          },
        ],
  );
}

/** Notifies people who chose it of a published order that begins or ends near them. */
async function draftsToNeighbours(
  app: App,
  of: OfOrder,
  source: string,
  gathered: Gathered,
): Promise<OrderNoticeDraft[]> {
  const [news, orderId] =
    'rideId' in of ? (['rideNearby', of.rideId] as const) : (['requestNearby', of.requestId] as const);
  const neighbors = gathered.neighbors.get(orderId) ?? [];
  const [first] = neighbors;
  if (first === undefined) return [];
  const order = await factsOfOthers(app, of, first);
  const about = { news, of, order, source, otherId: null, path: orderPage(orderId), facts: {} };
  return neighbors.map((userId) => ({ userId, ...about }));
}
