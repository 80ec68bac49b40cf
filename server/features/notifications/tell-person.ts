import {
  emailsAlways,
  alwaysEmailed,
  notificationChannels,
  type NotificationChannel,
  type NotificationChoices,
} from '#contract/notifications/endpoints.ts';
import { later, minuteMs, secondMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { devicesOf } from '../../platform/messages/push-devices.ts';
import type { ContactDetails } from '../identity/service.ts';
import type { About, NotificationContext } from './context.ts';
import { completeChoices } from './rules/choices.ts';
import { kindOf, type News } from './rules/notification-texts.ts';
import { mayGoOutAt } from './rules/quiet-hours.ts';
import * as store from './store.ts';
import { isSignedIn } from '../identity/queries.ts';

/**
 * How long a notification waits before it is sent, because a person with the app open sees it there first.
 */
const waitMs: Record<NotificationChannel, number> = {
  push: 3 * secondMs,
  sms: 20 * secondMs,
  email: 2 * minuteMs,
};
/** People answer messages in the app; an email is for a person who has not opened it for a while. */
const messagesEmailMs = 10 * minuteMs;

/** Kinds that send emails of their own: account news, and hits of an alert. */
const ownEmails: readonly string[] = [...alwaysEmailed, 'alert'];

/** The recipient of a notification, and their choices. */
interface Recipient {
  userId: string;
  details: ContactDetails;
  choices: NotificationChoices;
  hasDevice: boolean;
}

/**
 * Notifies one person: stores the notification in the center, publishes it to open apps, and plans it on
 * every channel they chose for its kind, to be sent unless they see it first.
 */
export async function tellPerson(
  context: NotificationContext,
  userId: string,
  news: News,
  about: About,
): Promise<void> {
  const { clock, transact, outbox } = context.platform;
  const kind = kindOf(news);
  const now = clock.now();
  const recipient = await findRecipient(context, userId, now);
  if (recipient === null) return;
  const { goodUntil = null, replaces } = about;
  await transact(async (tx) => {
    const newsId = await writeNews(tx, userId, { news, about, now });
    if (newsId === null) return;
    const leaves = replaces !== 'asRead' && (goodUntil === null || goodUntil > now);
    for (const channel of leaves ? notificationChannels : []) {
      const dueAt = dueOn(channel, recipient, { news, about, now });
      if (dueAt === null) continue;
      // An email that is sent regardless of choices is planned once.
      const isAlways = channel === 'email' && emailsAlways.includes(kind);
      const anew = !isAlways && (channel === 'push' || replaces !== undefined);
      await store.insertNotice(tx, { newsId, userId, channel, dueAt, goodUntil }, anew);
    }
    await outbox.tell(tx, [userId], { topic: 'notification', id: newsId, news: `told.${kind}` });
  });
}

/** The recipient's account and choices; null where the account is gone. */
async function findRecipient(
  { identity, platform: { db } }: NotificationContext,
  userId: string,
  now: Date,
): Promise<Recipient | null> {
  const [saved, devices, found] = await Promise.all([
    store.choicesOf(db, userId),
    devicesOf(db, userId, (family) => isSignedIn(family, now)),
    identity.contactDetails([userId]),
  ]);
  const details = found.get(userId);
  if (details === undefined) return null;
  return { userId, details, choices: completeChoices(saved), hasDevice: devices.length > 0 };
}

/** Stores the notification; null where its source has already notified this person. */
function writeNews(
  tx: Db,
  userId: string,
  { news, about, now }: { news: News; about: About; now: Date },
): Promise<string | null> {
  const { source, thing, otherId, path, grows = false, replaces } = about;
  const facts = { ...about.facts };
  const row = { userId, source, thing, otherId, kind: kindOf(news), word: news, facts, path, at: now };
  if (replaces !== undefined) return store.replaceNews(tx, row, replaces === 'asRead' ? now : null);
  return grows ? store.renewNews(tx, row) : store.insertNews(tx, row);
}

/** When a notification is sent on a channel; null where it is not. */
function dueOn(
  channel: NotificationChannel,
  { details, choices, hasDevice }: Recipient,
  { news, about, now }: { news: News; about: About; now: Date },
): Date | null {
  const kind = kindOf(news);
  const { grows = false, tooLateAt = null } = about;
  if (channel === 'email' && emailsAlways.includes(kind))
    return later(now, about.emailsAfterMs ?? waitMs.email);
  if (!choices.kinds[kind][channel]) return null;
  if (channel === 'push' ? !hasDevice : !choices.agreed) return null;
  if (channel === 'email' && ownEmails.includes(kind)) return null;
  if (channel === 'sms' && !details.phoneVerified) return null;
  const pauseMs = channel === 'email' && grows ? messagesEmailMs : waitMs[channel];
  return mayGoOutAt(choices.quietHours, later(now, pauseMs), tooLateAt);
}
