import { emailsAlways } from '#contract/notifications/endpoints.ts';
import type { Pushed } from '#contract/notifications/push-message.ts';
import type { App } from '../../app-type.ts';
import { dayMs, later, minuteMs } from '../../platform/clock.ts';
import { inSavepoint, isConnectionLost, type Db } from '../../platform/database/db.ts';
import type { Email } from '../../platform/messages/email.ts';
import { devicesOf } from '../../platform/messages/push-devices.ts';
import { translate, type Language } from '../../platform/messages/translate.ts';
import { isSignedIn } from '../identity/queries.ts';
import { contactDetailsOf, type ContactDetails } from '../identity/service.ts';
import { countFromMessage, rideById } from '../orders/service.ts';
import { needOf, currentAuthorization } from '../payments/service.ts';
import { namesOf } from './drafts.ts';
import { answerLinks } from './answer-by-link.ts';
import { isClosed, isOutdated } from './rules/answers.ts';
import { emailOf, type EmailedNews } from './rules/notification-emails.ts';
import { isNews, smsOf, wordsOf, type News, type NewsFacts } from './rules/notification-texts.ts';
import * as sources from './sources/store.ts';
import * as store from './store.ts';
import { unsubscribeLinks } from './channel-settings.ts';

/** The server tries a notice that it could not send again after this pause. */
const failedWaitsMs = 5 * minuteMs;

/** A notice with what it says. */
interface Outgoing extends store.DueNotice {
  text: News;
  facts: NewsFacts;
}

/** Notices that leave as one message: emails of one kind to one person. */
type Group = readonly [store.DueNotice, ...store.DueNotice[]];

/** Sends notices that are due. Drops those that were seen or read meanwhile, or are no longer wanted. */
export async function sendDue(app: App): Promise<void> {
  const { transact, clock } = app;
  const now = clock.now();
  await transact('send notifications', async (tx) => {
    for (const group of groupsOf(await store.takeDue(tx, now))) await sendGroup(app, tx, group, now);
  });
}

/** Several emails of one kind that are due for a person are one email; all else leaves one by one. */
function groupsOf(due: readonly store.DueNotice[]): Group[] {
  const groups = Map.groupBy(due, ({ id, channel, news: { userId, kind } }) =>
    channel === 'email' && !emailsAlways.includes(kind) ? `${userId} ${kind}` : id,
  );
  return [...groups.values()] as unknown as Group[];
}

/** Of two reminders of one ride the later one is enough. */
const withoutEarlierReminders = (due: readonly store.DueNotice[]): store.DueNotice[] =>
  due.filter(
    ({ news: { kind, thing } }, n) =>
      kind !== 'reminder' || due.findLastIndex(({ news }) => news.thing === thing) === n,
  );

/** A notice that fails is retried later and does not block the others. */
async function sendGroup(app: App, tx: Db, group: Group, now: Date): Promise<void> {
  const { log } = app;
  await inSavepoint(tx, async (own) => {
    const wanted: store.DueNotice[] = [];
    for (const due of group) if (await isStillNews(app, own, due, now)) wanted.push(due);
    await send(app, own, withoutEarlierReminders(wanted), now);
  }).catch(async (error: unknown) => {
    if (isConnectionLost(error)) throw error;
    const [first, ...others] = group;
    if (others.length > 0) {
      for (const each of group) await sendGroup(app, tx, [each], now);
      return;
    }
    log.error({ err: error, notice: first.id }, 'a notice could not be sent');
    await store.postpone(tx, first.id, later(now, failedWaitsMs));
  });
}

/**
 * Whether to send a notice that is due: not expired, not yet seen, and wanted, or needed regardless of
 * choices.
 */
async function isStillNews(
  app: App,
  tx: Db,
  { channel, goodUntil, news: row }: store.DueNotice,
  now: Date,
): Promise<boolean> {
  if (goodUntil !== null && goodUntil <= now) return false;
  if (channel === 'email' && emailsAlways.includes(row.kind)) return isStillNeeded(tx, row);
  if (channel === 'push' && later(row.at, dayMs) <= now) return false;
  if (row.seenAt !== null || row.readAt !== null || (await isPast(tx, row))) return false;
  const chosen = await store.choicesOf(tx, row.userId);
  if (!chosen.kinds[row.kind][channel] || (channel !== 'push' && !chosen.agreed)) return false;
  if (channel !== 'email') return true;
  if (await isInOtherEmail(app, tx, row)) return false;
  return chosen.emailsBesidePush || !(await store.hasLeftByPush(tx, row.id, row.at));
}

/** True where the email about other rides has already said that the booking is lost. */
async function isInOtherEmail(app: App, tx: Db, { word, facts }: store.NewsRow): Promise<boolean> {
  const { bookingId }: NewsFacts = facts;
  const isLost = word === 'driverCancelled' || word === 'brokenOff';
  return isLost && bookingId !== undefined && app.ports.notifications.hasRebookingEmail(tx, bookingId);
}

/** False for a payment reminder to a passenger who has paid meanwhile. */
async function isStillNeeded(tx: Db, { word, facts }: store.NewsRow): Promise<boolean> {
  const { bookingId, authorizationId } = facts as NewsFacts;
  if (word !== 'paymentNeeded' || bookingId === undefined) return true;
  const authorization = await currentAuthorization(tx, bookingId);
  return authorization !== null && authorization.id === authorizationId && needOf(authorization) !== null;
}

/** True where a notification's question was answered or withdrawn meanwhile, or it has expired. */
async function isPast(tx: Db, { userId, word, facts }: store.NewsRow): Promise<boolean> {
  const { bookingId, changeId }: NewsFacts = facts;
  if (!isNews(word) || (bookingId === undefined && changeId === undefined)) return false;
  const asked = await sources.askedOf(tx, userId, {
    bookingIds: bookingId === undefined ? [] : [bookingId],
    changeIds: changeId === undefined ? [] : [changeId],
  });
  const asking = { news: word, bookingId, changeId };
  return isClosed(asking, asked) || isOutdated(asking, asked);
}

/** Sends notices to one person on one channel. */
async function send(app: App, tx: Db, due: readonly store.DueNotice[], now: Date): Promise<void> {
  const { outbox, env } = app;
  const userId = due[0]?.news.userId;
  if (userId === undefined) return;
  const person = (await contactDetailsOf(app, [userId], tx)).get(userId);
  if (person === undefined) return;
  const names = await namesOf(
    app,
    due.map(({ news }) => news),
    tx,
  );
  const outgoing = due.flatMap((each): Outgoing[] => {
    const { word, facts, otherId } = each.news;
    return isNews(word) ? [{ ...each, text: word, facts: { ...facts, name: names.get(otherId) ?? '' } }] : [];
  });
  const [first, ...others] = outgoing;
  if (first === undefined) return;
  const { id: receipt, channel, goodUntil, news: row, text, facts } = first;
  if (channel === 'email') return outbox.post(tx, await emailFor(app, tx, person, [first, ...others]));
  if (channel === 'push') return push(app, tx, { ...first, language: person.language }, now);
  const sms = smsOf(text, person.language, facts, env.publicUrl + row.path);
  const end = goodUntil === null ? {} : { goodUntilMs: goodUntil.getTime() };
  if (person.phoneVerified) await outbox.text(tx, { to: person.phone, ...sms, receipt, ...end });
}

/** The email of notifications of one kind, with a link that unsubscribes from it without signing in. */
async function emailFor(
  app: App,
  tx: Db,
  person: ContactDetails,
  outgoing: readonly [Outgoing, ...Outgoing[]],
): Promise<Email> {
  const [{ news: row }] = outgoing;
  const [first, ...others] = await Promise.all(outgoing.map((each) => emailedNews(app, tx, each)));
  const unsubscribe = emailsAlways.includes(row.kind)
    ? undefined
    : await unsubscribeLinks(app, row.kind, row.userId);
  const ends = outgoing.map(({ goodUntil }) => goodUntil?.getTime() ?? Infinity);
  const goodUntilMs = Math.max(...ends);
  return {
    to: person.email,
    ...emailOf(person.language, [first!, ...others]),
    receipt: outgoing.map(({ id }) => id).join(' '),
    ...(unsubscribe === undefined ? {} : { unsubscribe }),
    ...(goodUntilMs === Infinity ? {} : { goodUntilMs }),
  };
}

async function emailedNews(
  app: App,
  tx: Db,
  { news: row, text: news, facts }: Outgoing,
): Promise<EmailedNews> {
  const { env, clock } = app;
  const links = await answerLinks(app, row, { news, facts });
  const until = links === null ? null : await answerUntil(tx, row.userId, facts);
  return {
    news,
    facts,
    link: env.publicUrl + row.path,
    answer:
      links === null
        ? null
        : {
            accept: env.publicUrl + links.accept,
            decline: env.publicUrl + links.decline,
            until: until !== null && until > clock.now() ? until : null,
          },
  };
}

/** The deadline of a notification's question, as far as known. */
async function answerUntil(tx: Db, userId: string, { bookingId, changeId }: NewsFacts): Promise<Date | null> {
  const { bookings, changes } = await sources.askedOf(tx, userId, {
    bookingIds: bookingId === undefined ? [] : [bookingId],
    changeIds: changeId === undefined ? [] : [changeId],
  });
  const asked = changeId === undefined ? bookings.get(bookingId ?? '') : changes.get(changeId);
  return asked?.expiresAt ?? null;
}

/** Pushes to every device of the person; the push service stores it for at most a day. */
async function push(
  app: App,
  tx: Db,
  { id: receipt, goodUntil, news: row, language, text, facts }: Outgoing & { language: Language },
  now: Date,
): Promise<void> {
  const { outbox } = app;
  const { title, text: body } = wordsOf(text, language, facts);
  const links = await answerLinks(app, row, { news: text, facts });
  const t = translate(language);
  const message: Pushed = {
    title,
    body,
    tag: row.thing,
    path: row.path,
    actions:
      links === null
        ? []
        : [
            { title: t('notice.accept'), path: links.accept },
            { title: t('notice.decline'), path: links.decline },
          ],
    language: language === 'zh' ? 'zh-CN' : 'en',
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

/**
 * Records that a notice was sent: the driver sees when and how the passenger was reminded, and the time to
 * answer a question counts from it.
 */
export async function noteLeft(app: App, receipt: string): Promise<void> {
  for (const noticeId of receipt.split(' ')) await noteNoticeLeft(app, noticeId);
}

async function noteNoticeLeft(app: App, noticeId: string): Promise<void> {
  const { transact, outbox, clock } = app;
  await transact('note delivery', async (tx) => {
    const row = await store.noteLeft(tx, noticeId, clock.now());
    const { bookingId }: NewsFacts = row?.facts ?? {};
    if ((row?.word === 'asked' || row?.word === 'invited') && bookingId !== undefined)
      await countFromMessage(app, tx, bookingId, clock.now());
    if (row?.word !== 'paymentNeeded' || !row.thing.startsWith('order:')) return;
    const rideId = row.thing.slice('order:'.length);
    const ride = await rideById(tx, rideId);
    if (ride === null) return;
    await outbox.tell(tx, [ride.driverId], { topic: 'order', id: rideId, news: null });
  });
}
