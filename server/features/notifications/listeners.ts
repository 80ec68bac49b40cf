import type { Platform } from '../../platform/platform.ts';
import type { LicensesService } from '../drivers/service.ts';
import type { OrdersService } from '../orders/service.ts';

/** Publishes changes over realtime to the people concerned who have the app open. */
export function listenForNews(platform: Platform, orders: OrdersService, licenses: LicensesService): void {
  const { outbox, realtime } = platform;
  outbox.on('live.changed', 'news', ({ payload: { userIds, changed } }) => {
    realtime.tell(userIds, 'changed', changed);
    return Promise.resolve();
  });
  listenForMoves(platform, orders);
  listenForOrderChanges(platform, orders);
  listenForOtherNews(platform);
  listenForLicenses(platform, licenses);
}

/** Moves of rides and bookings: to each side, and to the others in the car. */
function listenForMoves({ db, outbox, realtime }: Platform, orders: OrdersService): void {
  async function passengersOf(rideId: string): Promise<string[]> {
    const bookings = await orders.bookingsOf(db, { rideIds: [rideId] });
    return bookings
      .filter((booking) => booking.endedAt === null || booking.state === 'finished')
      .map((booking) => booking.passengerId);
  }

  outbox.on('booking.moved', 'news', async ({ payload }) => {
    const { rideId, requestId, driverId, passengerId, move, actor } = payload;
    const others = await passengersOf(rideId);
    // The person who made the move has seen its answer already; only the other side gets a text.
    const news = (side: 'driver' | 'passenger') => (actor === side ? null : `booking.${move}`);
    realtime.tell([driverId], 'changed', { topic: 'order', id: rideId, news: news('driver') });
    realtime.tell([passengerId], 'changed', { topic: 'order', id: requestId, news: news('passenger') });
    realtime.tell(
      others.filter((id) => id !== passengerId),
      'changed',
      { topic: 'order', id: rideId, news: null },
    );
  });

  outbox.on('ride.moved', 'news', async ({ payload }) => {
    const { rideId, driverId, move } = payload;
    realtime.tell([driverId], 'changed', { topic: 'order', id: rideId, news: null });
    realtime.tell(await passengersOf(rideId), 'changed', {
      topic: 'order',
      id: rideId,
      news: `ride.${move}`,
    });
  });
}

/** Other changes of orders: owners and people with a booking read them again. */
function listenForOrderChanges({ db, outbox, realtime }: Platform, orders: OrdersService): void {
  outbox.on('booking.unclear', 'news', ({ payload: { rideId, requestId, driverId, passengerId } }) => {
    realtime.tell([driverId], 'changed', { topic: 'order', id: rideId, news: null });
    realtime.tell([passengerId], 'changed', { topic: 'order', id: requestId, news: null });
    return Promise.resolve();
  });

  outbox.on('request.moved', 'news', async ({ payload }) => {
    realtime.tell([payload.passengerId], 'changed', { topic: 'order', id: payload.requestId, news: null });
  });

  outbox.on('orders.expired', 'news', ({ payload: { orders } }) => {
    for (const { id, ownerId } of orders)
      realtime.tell([ownerId], 'changed', { topic: 'order', id, news: null });
    return Promise.resolve();
  });

  outbox.on('order.edited', 'news', async ({ payload: { kind, orderId, ownerId } }) => {
    const changed = { topic: 'order', id: orderId, news: null } as const;
    realtime.tell([ownerId], 'changed', changed);
    const bookings = await orders.bookingsOf(
      db,
      kind === 'ride' ? { rideIds: [orderId] } : { requestIds: [orderId] },
    );
    const open = bookings.filter((booking) => booking.endedAt === null);
    const others = open.map((booking) => (kind === 'ride' ? booking.passengerId : booking.driverId));
    realtime.tell([...new Set(others)], 'changed', { ...changed, news: `${kind}.update` });
  });

  outbox.on('change.moved', 'news', ({ payload: { rideId, driverId, passengerIds } }) => {
    realtime.tell([driverId, ...passengerIds], 'changed', { topic: 'order', id: rideId, news: null });
    return Promise.resolve();
  });

  outbox.on('payment.moved', 'news', ({ payload: { rideId, driverId, requestId, passengerId } }) => {
    realtime.tell([driverId], 'changed', { topic: 'order', id: rideId, news: null });
    realtime.tell([passengerId], 'changed', { topic: 'order', id: requestId, news: null });
    return Promise.resolve();
  });

  outbox.on('waitlist.changed', 'news', ({ payload: { rideId, driverId, requestId, passengerId } }) => {
    realtime.tell([driverId], 'changed', { topic: 'order', id: rideId, news: null });
    realtime.tell([passengerId], 'changed', { topic: 'order', id: requestId, news: null });
    return Promise.resolve();
  });
}

/** Events, reviews, contacts and profiles. */
function listenForOtherNews({ outbox, realtime }: Platform): void {
  outbox.on('event.proposed', 'news', ({ payload: { eventId, driverId, passengerId } }) => {
    realtime.tell([driverId, passengerId], 'changed', {
      topic: 'event',
      id: eventId,
      news: 'event.proposed',
    });
    return Promise.resolve();
  });
  outbox.on('event.changed', 'news', ({ payload: { eventId, travellers, what } }) => {
    const news = what === 'details' ? null : `event.${what}`;
    const personIds = travellers.map(({ personId }) => personId);
    realtime.tell(personIds, 'changed', { topic: 'event', id: eventId, news });
    return Promise.resolve();
  });

  outbox.on('review.written', 'news', async ({ payload }) => {
    realtime.tell([payload.authorId, payload.subjectId], 'changed', {
      topic: 'review',
      id: payload.rideId,
      news: null,
    });
  });

  outbox.on('contact.moved', 'news', async ({ payload }) => {
    const { actorId, otherId, move } = payload;
    // People who were denied, removed or blocked get no text; their pages still read the data again.
    const news = ['applied', 'accepted', 'met'].includes(move) ? `contact.${move}` : null;
    realtime.tell([actorId], 'changed', { topic: 'contact', id: otherId, news: null });
    realtime.tell([otherId], 'changed', { topic: 'contact', id: actorId, news });
  });

  outbox.on('profile.changed', 'news', async ({ payload }) => {
    realtime.tell([payload.userId], 'changed', { topic: 'profile', id: payload.userId, news: null });
  });
}

function listenForLicenses({ outbox, realtime }: Platform, licenses: LicensesService): void {
  outbox.on('licence.sent', 'news', async ({ payload }) => {
    realtime.tell(await licenses.adminIds(), 'changed', {
      topic: 'licence',
      id: payload.licenceId,
      news: null,
    });
  });

  outbox.on('licence.decided', 'news', async ({ payload: { licenceId, userId, status } }) => {
    realtime.tell([userId], 'changed', { topic: 'licence', id: licenceId, news: `licence.${status}` });
    realtime.tell(await licenses.adminIds(), 'changed', { topic: 'licence', id: licenceId, news: null });
  });
}
