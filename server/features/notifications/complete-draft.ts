import { hourMs, later, minuteMs } from '../../platform/clock.ts';
import type { NoticeDraft, OrderNoticeDraft } from './drafts.ts';
import { kindOf, type News, type NewsFacts } from './rules/notification-texts.ts';

/** Kinds that a passenger shortly before a ride gets even in quiet hours. */
const pressing = new Set(['change', 'onTheWay', 'reached']);

/** How long a car at the pick-up, or on its way there, is worth a notification. */
const carNewsMs: Partial<Record<News, number>> = { reached: 30 * minuteMs, departed: hourMs };

/** Notifications about an upcoming ride: from an hour after its departure they are only shown in the app. */
const aboutComing: ReadonlySet<News> = new Set([
  'asked',
  'invited',
  'seatOffered',
  'accepted',
  'joinedAtOnce',
  'invitationAccepted',
  'invitationDeclined',
  'changeProposed',
  'changeApplied',
  'rideEdited',
  'placeProposed',
  'rideNearby',
  'requestNearby',
]);
const goodAfterDepartureMs = hourMs;

/** A notification about an order with the order's facts, and when it ends. */
export function completed(
  { of, at, order: _order, ...draft }: OrderNoticeDraft,
  order: NewsFacts,
): NoticeDraft {
  const endsAfterMs = at === undefined ? undefined : carNewsMs[draft.news];
  const departsAt = new Date(order.departsAt!);
  const goodUntil =
    endsAfterMs !== undefined
      ? later(at!, endsAfterMs)
      : aboutComing.has(draft.news)
        ? later(departsAt, goodAfterDepartureMs)
        : null;
  return {
    ...draft,
    thing: `order:${'rideId' in of ? of.rideId : of.requestId}`,
    facts: { ...order, ...draft.facts },
    // A car that is late is still on its way.
    ...(pressing.has(kindOf(draft.news)) ? { tooLateAt: later(departsAt, hourMs) } : {}),
    ...(goodUntil === null ? {} : { goodUntil }),
  };
}
