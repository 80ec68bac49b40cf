import type { App } from '../../app-type.ts';
import { hourMs, later, minuteMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { SignalOf } from '../../platform/events/listeners.ts';
import type { SignalName, SignalPayloads } from '../../platform/events/signals.ts';
import { peopleByIds } from '../identity/service.ts';
import type { OfOrder } from './order-facts.ts';
import { type News, type NewsFacts, kindOf } from './rules/notification-texts.ts';
import type { NewsRow } from './store.ts';

/** A notification for one person. */
export type NoticeDraft = About & { userId: string; news: News };

/** A notification about an order, whose facts are added to it, and when it ends. */
export interface OrderNoticeDraft extends Omit<About, 'thing'> {
  userId: string;
  news: News;
  of: OfOrder;
  /** When it happened, for notifications that expire. */
  at?: Date;
  /** The order's facts where they are known. */
  order?: NewsFacts;
}

export type Draft = NoticeDraft | OrderNoticeDraft;

/** Rows read for a whole batch of signals, for the drafts of each. */
export interface Gathered {
  /** The terms on which passengers have joined, by booking. */
  joins: ReadonlyMap<
    string,
    { joinedAt: Date | null; startedBy: 'driver' | 'passenger'; isInstant: boolean }
  >;
  /** People near a published order who want to know of it, by order. */
  neighbors: ReadonlyMap<string, readonly string[]>;
}

/** Which signals lead to notifications, and to which. */
export type Drafting = {
  [N in SignalName]?: {
    concerns: true | ((payload: SignalPayloads[N]) => boolean);
    drafts: (signal: SignalOf<N>, gathered: Gathered) => readonly Draft[] | Promise<readonly Draft[]>;
  };
};

/** A notification for one person. */
export interface About {
  /** Each source notifies a person once. */
  source: string;
  /** On a device, a notification replaces an earlier one about the same thing. */
  thing: string;
  otherId: string | null;
  facts: NewsFacts;
  path: string;
  /** When it becomes useless: it is sent during quiet hours rather than after this. */
  tooLateAt?: Date;
  /** After this nothing is sent, however late the server or the queue is: it is only shown in the app. */
  goodUntil?: Date;
  /** It is updated while unread, and sent to the device again. */
  grows?: boolean;
  /** It replaces its source's earlier notification: as new, or as read for the person who caused it. */
  replaces?: 'asNew' | 'asRead';
  /** How long an email waits that is sent regardless of choices. */
  emailsAfterMs?: number;
}

/** The names of the people whom notifications are about, by id. */
export async function namesOf(
  app: App,
  rows: readonly NewsRow[],
  db: Db = app.db,
): Promise<Map<string | null, string>> {
  const otherIds = new Set(rows.flatMap(({ otherId }) => otherId ?? []));
  const people = await peopleByIds(app, [...otherIds], db);
  return new Map([...people].map(([id, { name }]) => [id, name]));
}

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
