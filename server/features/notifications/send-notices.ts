import { emailsAlways } from '#contract/notifications/endpoints.ts';
import type { Pushed } from '#contract/notifications/push-message.ts';
import { dayMs, later, minuteMs } from '../../platform/clock.ts';
import { inSavepoint, isConnectionLost, type Db } from '../../platform/database/db.ts';
import type { Email } from '../../platform/messages/email.ts';
import { devicesOf } from '../../platform/messages/push-devices.ts';
import type { ContactDetails } from '../identity/service.ts';
import { needOf } from '../payments/service.ts';
import { namesOf, type NotificationContext } from './context.ts';
import { completeChoices } from './rules/choices.ts';
import { emailOf, isNews, smsOf, wordsOf, type News, type NewsFacts } from './rules/notification-texts.ts';
import * as store from './store.ts';
import { unsubscribeLinks } from './unsubscribe-links.ts';
import { isSignedIn } from '../identity/queries.ts';

/** The server tries a notice that it could not send again after this pause. */
const failedWaitsMs = 5 * minuteMs;

/** A notice with the person it goes to and what it says. */
interface Outgoing extends store.DueNotice {
  person: ContactDetails;
  text: News;
  facts: NewsFacts;
}

/** Sends notices that are due. Drops those that were seen or read meanwhile, or are no longer wanted. */
export async function sendDue(context: NotificationContext): Promise<void> {
  const { transact, clock, log } = context.platform;
  const now = clock.now();
  await transact(async (tx) => {
    for (const due of await store.takeDue(tx, now))
      // A notice that fails is retried later and does not block the others.
      await inSavepoint(tx, async (own) => {
        if (await isStillNews(context, own, due, now)) await send(context, own, due, now);
      }).catch(async (error: unknown) => {
        if (isConnectionLost(error)) throw error;
        log.error({ err: error, notice: due.id }, 'a notice could not be sent');
        await store.postpone(tx, due.id, later(now, failedWaitsMs));
      });
  });
}

/**
 * Whether to send a notice that is due: not expired, not yet seen, and wanted, or needed regardless of
 * choices.
 */
async function isStillNews(
  context: NotificationContext,
  tx: Db,
  { channel, goodUntil, news: row }: store.DueNotice,
  now: Date,
): Promise<boolean> {
  if (goodUntil !== null && goodUntil <= now) return false;
  if (channel === 'email' && emailsAlways.includes(row.kind)) return isStillNeeded(context, tx, row);
  if (channel === 'push' && later(row.at, dayMs) <= now) return false;
  if (row.seenAt !== null || row.readAt !== null) return false;
  const chosen = completeChoices(await store.choicesOf(tx, row.userId));
  return chosen.kinds[row.kind][channel] && (channel === 'push' || chosen.agreed);
}

/** False for a payment reminder to a passenger who has paid meanwhile. */
async function isStillNeeded(
  { payments }: NotificationContext,
  tx: Db,
  { word, facts }: store.NewsRow,
): Promise<boolean> {
  const { bookingId, holdId } = facts as NewsFacts;
  // News stored by an earlier release has no booking id.
  if (word !== 'paymentNeeded' || bookingId === undefined) return true;
  const authorization = await payments.current(tx, bookingId);
  return authorization !== null && authorization.id === holdId && needOf(authorization) !== null;
}

async function send(context: NotificationContext, tx: Db, due: store.DueNotice, now: Date): Promise<void> {
  const { identity, platform } = context;
  const { outbox, env } = platform;
  const { id: receipt, channel, goodUntil, news: row } = due;
  const person = (await identity.contactDetails([row.userId])).get(row.userId);
  if (person === undefined || !isNews(row.word)) return;
  const facts: NewsFacts = { ...row.facts, name: (await namesOf(identity, [row])).get(row.otherId) ?? '' };
  const outgoing: Outgoing = { ...due, person, text: row.word, facts };
  const end = goodUntil === null ? {} : { goodUntilMs: goodUntil.getTime() };
  if (channel === 'email')
    return outbox.post(tx, { ...(await emailFor(context, outgoing)), receipt, ...end });
  if (channel === 'push') return push(context, tx, outgoing, now);
  const sms = smsOf(outgoing.text, person.language, facts, env.publicUrl + row.path);
  if (person.phoneVerified) await outbox.text(tx, { to: person.phone, ...sms, receipt, ...end });
}

/** The email of a notification, with a link that unsubscribes from its kind without signing in. */
async function emailFor(
  context: NotificationContext,
  { person, news: row, text, facts }: Outgoing,
): Promise<Email> {
  const content = emailOf(text, person.language, facts, context.platform.env.publicUrl + row.path);
  const unsubscribe = emailsAlways.includes(row.kind)
    ? undefined
    : await unsubscribeLinks(context, row.kind, row.userId);
  return { to: person.email, ...content, ...(unsubscribe === undefined ? {} : { unsubscribe }) };
}

/** Pushes to every device of the person; the push service stores it for at most a day. */
async function push(
  { platform: { outbox } }: NotificationContext,
  tx: Db,
  { id: receipt, goodUntil, news: row, person, text, facts }: Outgoing,
  now: Date,
): Promise<void> {
  const { title, text: body } = wordsOf(text, person.language, facts);
  const message: Pushed = {
    title,
    body,
    tag: row.thing,
    path: row.path,
    language: person.language === 'zh' ? 'zh-CN' : 'en',
    atMs: row.at.getTime(),
    unread: await store.unreadNews(tx, row.userId),
  };
  const goodUntilMs = Math.min(later(row.at, dayMs).getTime(), goodUntil?.getTime() ?? Infinity);
  for (const device of await devicesOf(tx, row.userId, (family) => isSignedIn(family, now)))
    await outbox.push(tx, {
      deviceId: device.id,
      text: JSON.stringify(message),
      goodUntilMs,
      urgent: true,
      receipt,
    });
}

/** Records that a notice was sent, so that the driver sees when and how the passenger was reminded. */
export async function noteLeft(context: NotificationContext, noticeId: string): Promise<void> {
  const { transact, outbox, clock } = context.platform;
  await transact(async (tx) => {
    const row = await store.noteLeft(tx, noticeId, clock.now());
    if (row?.word !== 'paymentNeeded' || !row.thing.startsWith('order:')) return;
    const rideId = row.thing.slice('order:'.length);
    const ride = await context.orders.rideById(rideId);
    if (ride === null) return;
    await outbox.tell(tx, [ride.driverId], { topic: 'order', id: rideId, news: null });
  });
}
