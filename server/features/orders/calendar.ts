import { seatedStates } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import { movedOn } from '../../platform/refusal.ts';
import { contactDetailsOf } from '../identity/service.ts';
import { orderTimeline } from './order-timeline.ts';
import { viewOrder } from './order-views.ts';
import { calendarFile } from './rules/calendar.ts';

const held: readonly string[] = [...seatedStates, 'finished'];

/** A ride as a calendar file: the driver's whole route, or a passenger's part of it. */
export async function calendarOf(
  app: App,
  id: string,
  personId: string,
): Promise<{ fileName: string; text: string }> {
  const order = await viewOrder(app, id, personId);
  const drives = order.role === 'driver' && order.mine;
  const place = drives ? undefined : order.bookings.find(({ state }) => held.includes(state));
  if (!drives && (place === undefined || (order.role === 'passenger' && !order.mine)))
    throw movedOn(
      'order.notJoined',
      'You don’t have a seat in this ride, so there’s nothing to add to your calendar.',
    );
  // The ride's timeline, so that the sequence is the same whether the ride or the request is exported.
  const { entries } = await orderTimeline(app, place?.rideId ?? order.id, personId);
  const language = (await contactDetailsOf(app, [personId])).get(personId)?.language ?? 'en';
  const [from, to] = place === undefined ? [order.from, order.to] : [place.pickup, place.dropoff];
  const [startsAt, endsAt] =
    place === undefined && order.role === 'driver'
      ? [order.departsAt, order.arrivesAt]
      : [place!.pickup.at, place!.dropoff.at];
  const url = `${app.env.publicUrl}/pages/order/detail?id=${order.id}`;
  const way = `${from.name} → ${to.name}`;
  const text = calendarFile({
    uid: `${place?.id ?? order.id}@sameway`,
    // Every move and edit adds an entry to the timeline, and none is ever removed.
    sequence: entries.length,
    writtenAt: app.clock.now(),
    startsAt: new Date(startsAt),
    endsAt: new Date(endsAt),
    timeZone: order.timeZone,
    summary: language === 'zh' ? `顺路：${way}` : `Sameway: ${way}`,
    location: [from.name, from.detail].filter(Boolean).join(', '),
    description: [order.orderNumber, order.note, url].filter(Boolean).join('\n'),
    url,
    isCancelled: drives && order.state === 'cancel',
  });
  return { fileName: `${order.orderNumber}.ics`, text };
}
