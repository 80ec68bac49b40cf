import { eventPage, notifyOf, type NoticeContext } from './order-notices.ts';

/** Notifies of events: a proposed place in a ride, a change, a cancellation. */
export function listenForEventNotices(context: NoticeContext): void {
  const { outbox, notifications } = context;
  outbox.on('event.proposed', 'notices', async ({ id, payload }) => {
    const { eventId, rideId, requestId, driverId, passengerId } = payload;
    const about = { source: `signal:${id}`, path: eventPage(eventId) };
    await notifyOf(context, { rideId }, driverId, { news: 'placeProposed', ...about, otherId: passengerId });
    await notifyOf(context, { requestId }, passengerId, {
      news: 'placeProposed',
      ...about,
      otherId: driverId,
    });
  });
  outbox.on('event.changed', 'notices', async ({ id, payload }) => {
    const { eventId, organiserId, travellers, what } = payload;
    const name = await notifications.eventName(eventId);
    if (what === 'details' || name === null) return;
    for (const { personId } of travellers)
      // The organizer made the change, so only other travelers are notified.
      if (personId !== organiserId)
        await notifications.tell(personId, what === 'moved' ? 'eventMoved' : 'eventCancelled', {
          source: `signal:${id}`,
          thing: `event:${eventId}`,
          otherId: organiserId,
          facts: { text: name },
          path: eventPage(eventId),
        });
  });
}
