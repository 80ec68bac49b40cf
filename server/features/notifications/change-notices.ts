import { notifyOf, openBookings, orderPage, type NoticeContext } from './order-notices.ts';

/** Notifies passengers of their driver's proposals, changes and edits. */
export function listenForChangeNotices(context: NoticeContext): void {
  const { outbox } = context;
  // A change is one notification, from its proposal until it applies.
  const changeSource = (changeId: string) => `change:${changeId}`;
  outbox.on('change.proposed', 'notices', async ({ payload }) => {
    const { changeId, rideId, driverId, passengerIds } = payload;
    for (const userId of passengerIds)
      await notifyOf(context, { rideId }, userId, {
        news: 'changeProposed',
        source: changeSource(changeId),
        otherId: driverId,
        path: orderPage(rideId),
        facts: { changeId },
      });
  });
  outbox.on(
    'change.moved',
    'notices',
    async ({ payload }) => {
      const { changeId, rideId, driverId, passengerIds, byId } = payload;
      for (const userId of [driverId, ...passengerIds])
        await notifyOf(context, { rideId }, userId, {
          news: 'changeApplied',
          source: changeSource(changeId),
          otherId: userId === driverId ? null : driverId,
          path: orderPage(rideId),
          // The person who answered last has just seen the result.
          replaces: userId === byId ? 'asRead' : 'asNew',
        });
    },
    ({ to }) => to === 'applied',
  );
  outbox.on(
    'order.edited',
    'notices',
    async ({ id, payload: { orderId, ownerId } }) => {
      for (const { passengerId, requestId } of await openBookings(context, orderId))
        await notifyOf(context, { rideId: orderId }, passengerId, {
          news: 'rideEdited',
          source: `signal:${id}`,
          otherId: ownerId,
          path: orderPage(requestId),
        });
    },
    // After a passenger has agreed, terms change only by a proposal, which has notifications of its own.
    ({ kind, what }) => kind === 'ride' && what !== 'terms',
  );
}
