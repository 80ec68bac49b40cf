import type { BookingMove } from '#contract/rides/moves.ts';
import type { Base } from '../../base/base.ts';
import type { News } from './rules/words.ts';
import type { NotificationsService } from './service.ts';

/** Who hears of a move of a booking, and what. */
const newsOf: Partial<Record<BookingMove, { to: 'driver' | 'passenger'; news: News }>> = {
  ask: { to: 'driver', news: 'asked' },
  invite: { to: 'passenger', news: 'invited' },
  offer: { to: 'passenger', news: 'seatOffered' },
  accept: { to: 'passenger', news: 'accepted' },
  joinAtOnce: { to: 'driver', news: 'joinedAtOnce' },
  acceptInvitation: { to: 'driver', news: 'invitationAccepted' },
  reject: { to: 'passenger', news: 'rejected' },
  declineInvitation: { to: 'driver', news: 'invitationDeclined' },
  reach: { to: 'passenger', news: 'reached' },
  noShow: { to: 'passenger', news: 'missed' },
};

/** Turns what happens on rides into notices outside the app. */
export function listenForNotices({ outbox }: Base, notifications: NotificationsService): void {
  const detail = (orderId: string) => `/pages/order/detail?id=${orderId}`;

  outbox.on('booking.moved', 'notices', async ({ id, payload }) => {
    const { rideId, requestId, driverId, passengerId, move, actor } = payload;
    const cancelled: { to: 'driver' | 'passenger'; news: News } | undefined =
      move !== 'cancel'
        ? undefined
        : actor === 'driver'
          ? { to: 'passenger', news: 'driverCancelled' }
          : { to: 'driver', news: 'passengerCancelled' };
    const told = cancelled ?? newsOf[move as BookingMove];
    const order = told === undefined ? null : await notifications.orderFacts({ rideId });
    if (told === undefined || order === null) return;
    const [userId, otherId] = told.to === 'driver' ? [driverId, passengerId] : [passengerId, driverId];
    const path = detail(told.to === 'driver' ? rideId : requestId);
    await notifications.tell(userId, told.news, { source: `signal:${id}`, otherId, order, path });
  });

  outbox.on('change.moved', 'notices', async ({ id, payload }) => {
    const { rideId, to, driverId, passengerIds } = payload;
    const order = to === 'applied' ? await notifications.orderFacts({ rideId }) : null;
    if (order === null) return;
    for (const userId of [driverId, ...passengerIds])
      await notifications.tell(userId, 'changeApplied', {
        source: `signal:${id}`,
        otherId: userId === driverId ? null : driverId,
        order,
        path: detail(rideId),
      });
  });
  outbox.on('change.proposed', 'notices', async ({ id, payload: { rideId, driverId, passengerIds } }) => {
    const order = await notifications.orderFacts({ rideId });
    if (order === null) return;
    for (const userId of passengerIds)
      await notifications.tell(userId, 'changeProposed', {
        source: `signal:${id}`,
        otherId: driverId,
        order,
        path: detail(rideId),
      });
  });

  outbox.on('event.proposed', 'notices', async ({ id, payload }) => {
    const { eventId, rideId, driverId, passengerId } = payload;
    const order = await notifications.orderFacts({ rideId });
    if (order === null) return;
    const path = `/pages/events/events?id=${eventId}`;
    const about = { source: `signal:${id}`, order, path };
    await notifications.tell(driverId, 'placeProposed', { ...about, otherId: passengerId });
    await notifications.tell(passengerId, 'placeProposed', { ...about, otherId: driverId });
  });

  outbox.on('event.changed', 'notices', async ({ id, payload }) => {
    const { eventId, organiserId, travellers, what } = payload;
    if (what === 'details') return;
    for (const { personId, kind, orderId } of travellers) {
      const order = await notifications.orderFacts(
        kind === 'ride' ? { rideId: orderId } : { requestId: orderId },
      );
      if (order === null || personId === organiserId) continue;
      await notifications.tell(personId, what === 'moved' ? 'eventMoved' : 'eventCancelled', {
        source: `signal:${id}`,
        otherId: organiserId,
        order,
        path: `/pages/events/events?id=${eventId}`,
      });
    }
  });

  outbox.on('review.written', 'notices', async ({ id, payload }) => {
    const { rideId, authorId, subjectId } = payload;
    const order = await notifications.orderFacts({ rideId });
    if (order === null) return;
    await notifications.tell(subjectId, 'reviewed', {
      source: `signal:${id}`,
      otherId: authorId,
      order,
      path: '/pages/order/review',
    });
  });

  async function published(of: { rideId: string } | { requestId: string }, source: string): Promise<void> {
    const order = await notifications.orderFacts(of);
    if (order === null) return;
    const [news, orderId] =
      'rideId' in of ? (['rideNearby', of.rideId] as const) : (['requestNearby', of.requestId] as const);
    for (const userId of await notifications.neighboursOf(of))
      await notifications.tell(userId, news, { source, otherId: null, order, path: detail(orderId) });
  }

  outbox.on('ride.moved', 'notices', async ({ id, payload }) => {
    if (payload.move === 'publish') await published({ rideId: payload.rideId }, `signal:${id}`);
  });
  outbox.on('request.moved', 'notices', async ({ id, payload }) => {
    if (payload.move === 'publish') await published({ requestId: payload.requestId }, `signal:${id}`);
  });
}
