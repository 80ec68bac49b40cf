import { v7 as timeOrderedUuid } from 'uuid';
import {
  emailsAlways,
  alwaysEmailed,
  firstChoices,
  notificationChannels,
  type NotificationChannel,
  type NotificationChoices,
} from '#contract/notifications/endpoints.ts';
import type { App } from '../../app-type.ts';
import { later, minuteMs, secondMs } from '../../platform/clock.ts';
import { factsFrom, roundedBookingOf } from '../orders/facts/queries.ts';
import { toldPickups } from '../orders/service.ts';
import { completed, type Draft, type NoticeDraft } from './drafts.ts';
import { factsOfOwn } from './order-facts.ts';
import { readRecipients, type RecipientRow } from './recipients/store.ts';
import { kindOf, type NewsFacts } from './rules/notification-texts.ts';
import { mayFollowPushAt, mayGoOutAt } from './rules/quiet-hours.ts';
import { storeNews, type NewNews, type NewNotice } from './writing/store.ts';

/**
 * How long a notification waits before it is sent, because a person with the app open sees it there first.
 */
export const waitMs: Record<NotificationChannel, number> = {
  push: 3 * secondMs,
  sms: 20 * secondMs,
  email: 2 * minuteMs,
};
/** People answer messages in the app; an email is for a person who has not opened it for a while. */
const messagesEmailMs = 10 * minuteMs;

/** Kinds that send emails of their own: those about the account, and hits of an alert. */
const ownEmails: readonly string[] = [...alwaysEmailed, 'alert'];

/**
 * Notifies people: stores their notifications in the center, publishes them to open apps, and plans each on
 * every channel its person chose for its kind, to be sent unless they see it first. Orders, people and their
 * choices are read for all of them at once; a draft about an order that is gone, or to an account that is, is
 * left out.
 */
export async function tellPeople(app: App, drafts: readonly Draft[]): Promise<void> {
  const { clock, kept, outbox, transact } = app;
  const now = clock.now();
  const single = withoutRepeats(drafts);
  const recipients = await readRecipients(kept, single, now);
  const untold = recipients.flatMap(({ order }) => roundedBookingOf(order) ?? []);
  const pickups = await toldPickups(app, untold);
  const news: NewNews[] = [];
  // Sequential: few ask for a view, and one batch must not take all connections for its views.
  for (const recipient of recipients) {
    const draft = await completedDraft(app, single[recipient.n - 1]!, recipient, pickups);
    if (draft !== null) news.push({ ...newsOf(draft, now), notices: noticesOf(draft, recipient, now) });
  }
  if (news.length === 0) return;
  await transact('notify people', async (tx) => {
    const stored = await storeNews(tx, news);
    await outbox.tellAll(
      tx,
      stored.map(({ id, userId, kind }) => ({
        userIds: [userId],
        changed: { topic: 'notification', id, news: `told.${kind}` },
      })),
    );
  });
}

/** Of several for one person from one source, the first; of those that replace each other, the last. */
function withoutRepeats(drafts: readonly Draft[]): Draft[] {
  const single = new Map<string, Draft>();
  for (const draft of drafts) {
    const key = `${draft.source} ${draft.userId}`;
    if (single.has(key) && draft.replaces === undefined && draft.grows !== true) continue;
    single.delete(key);
    single.set(key, draft);
  }
  return [...single.values()];
}

/** The draft with its order's facts; null where the account or the order is gone. */
async function completedDraft(
  app: App,
  draft: Draft,
  { hasVerifiedPhone, order }: RecipientRow,
  pickups: ReadonlyMap<string, Date>,
): Promise<NoticeDraft | null> {
  if (hasVerifiedPhone === null) return null;
  if (!('of' in draft)) return draft;
  const found: NewsFacts | 'view' | null = draft.order ?? factsFrom(order, pickups);
  const facts = found === 'view' ? await factsOfOwn(app, draft.of, draft.userId) : found;
  return facts === null ? null : completed(draft, facts);
}

/** Ids of one moment lie side by side in an index: rows written together touch few of its pages. */
const idAt = (at: Date): string => timeOrderedUuid({ msecs: at.getTime() });

function newsOf(
  { userId, news, source, thing, otherId, path, facts, grows = false, replaces }: NoticeDraft,
  now: Date,
): Omit<NewNews, 'notices'> {
  return {
    id: idAt(now),
    userId,
    source,
    thing,
    otherId,
    kind: kindOf(news),
    word: news,
    facts: { ...facts },
    path,
    at: now,
    way: replaces !== undefined ? 'replaces' : grows ? 'grows' : 'once',
    readAt: replaces === 'asRead' ? now : null,
  };
}

/** When and on which channels a notification leaves the app. */
function noticesOf(draft: NoticeDraft, recipient: RecipientRow, now: Date): NewNotice[] {
  const { goodUntil = null, replaces } = draft;
  if (replaces === 'asRead' || (goodUntil !== null && goodUntil <= now)) return [];
  const choices = recipient.choices ?? firstChoices;
  return notificationChannels.flatMap((channel) => {
    const dueAt = dueOn(channel, { ...recipient, choices }, draft, now);
    if (dueAt === null) return [];
    // An email that is sent regardless of choices is planned once.
    const isAlways = channel === 'email' && emailsAlways.includes(kindOf(draft.news));
    const isAnew = !isAlways && (channel === 'push' || replaces !== undefined);
    return [{ id: idAt(now), channel, dueAt, goodUntil, isAnew }];
  });
}

/** When a notification is sent on a channel; null where it is not. */
function dueOn(
  channel: NotificationChannel,
  { hasVerifiedPhone, hasDevice, choices }: RecipientRow & { choices: NotificationChoices },
  draft: NoticeDraft,
  now: Date,
): Date | null {
  const { news, grows = false, tooLateAt = null, emailsAfterMs } = draft;
  const kind = kindOf(news);
  if (channel === 'email' && emailsAlways.includes(kind)) return later(now, emailsAfterMs ?? waitMs.email);
  if (!choices.kinds[kind][channel]) return null;
  if (channel === 'push' ? !hasDevice : !choices.agreed) return null;
  if (channel === 'email' && ownEmails.includes(kind)) return null;
  if (channel === 'sms' && hasVerifiedPhone !== true) return null;
  const pauseMs = channel === 'email' && grows ? messagesEmailMs : waitMs[channel];
  const followsPush =
    channel === 'email' && !choices.emailsBesidePush && hasDevice && choices.kinds[kind].push;
  return followsPush
    ? mayFollowPushAt(choices.quietHours, now, { pauseMs, tooLateAt })
    : mayGoOutAt(choices.quietHours, later(now, pauseMs), tooLateAt);
}
