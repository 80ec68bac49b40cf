import {
  emailsAlways,
  lettersAlways,
  notificationChannels,
  type NotificationChannel,
  type NotificationKind,
} from '#contract/notifications/endpoints.ts';
import type { Pushed } from '#contract/notifications/pushed.ts';
import type { Platform } from '../../platform/platform.ts';
import { dayMs, later, minuteMs, secondMs } from '../../platform/clock.ts';
import { isConnectionLost, type Db } from '../../platform/database/db.ts';
import type { Email } from '../../platform/messages/email.ts';
import { devicesOf } from '../../platform/messages/push-devices.ts';
import { isSignedIn } from '../identity/queries.ts';
import type { ContactDetails, IdentityService } from '../identity/service.ts';
import { needOf, type PaymentsService } from '../payments/service.ts';
import type { OrdersService } from '../orders/service.ts';
import { completeChoices } from './rules/choices.ts';
import { mayGoOutAt } from './rules/quiet-hours.ts';
import {
  isNews,
  kindOf,
  emailOf,
  smsOf,
  wordsOf,
  type News,
  type NewsFacts,
} from './rules/notification-texts.ts';
import * as store from './store.ts';

/** What a piece of news is about, for one person. */
export interface About {
  /** The same source tells a person once. */
  source: string;
  /** News of one thing takes each other's place on a device. */
  thing: string;
  otherId: string | null;
  facts: NewsFacts;
  path: string;
  /** When it is worth nothing any more: it goes out in quiet hours rather than after this. */
  tooLateAt?: Date;
  /** After it nothing is sent any more, however long the server or the queue was behind: it stands in the app alone. */
  goodUntil?: Date;
  /** It grows while nobody reads it, and a device hears of it again. */
  grows?: boolean;
  /** It takes the place of what its source has told before: as new, or as read for the person who has done it. */
  replaces?: 'asNew' | 'asRead';
  /** So long an email waits that goes out whatever is chosen. */
  emailsAfterMs?: number;
}

/** So long news waits before it leaves the app, because whoever has it open sees it there first. */
const waitMs: Record<NotificationChannel, number> = {
  push: 3 * secondMs,
  sms: 20 * secondMs,
  email: 2 * minuteMs,
};
/** The server tries a notice that it could not send again after this pause. */
const failedWaitsMs = 5 * minuteMs;
/** Messages are answered in the app; an email is for whoever has not looked for a while. */
const messagesLetterMs = 10 * minuteMs;

/** Kinds that write emails of their own: news of the account, and what an alert has found. */
const ownLetters: readonly string[] = [...lettersAlways, 'alert'];

/** An email's link ends its kind for so long after it was written. */
const linkLifeMs = 400 * dayMs;

/** The names of those whom news is about, by id. */
export async function namesOf(
  identity: IdentityService,
  rows: readonly store.NewsRow[],
): Promise<Map<string | null, string>> {
  const people = await identity.people([...new Set(rows.flatMap(({ otherId }) => otherId ?? []))]);
  return new Map([...people].map(([id, { name }]) => [id, name]));
}

export interface Features {
  identity: IdentityService;
  rides: OrdersService;
  payments: PaymentsService;
}

export function createNotifier(
  { db, transact, clock, log, outbox, signedTokens, env }: Platform,
  { identity, rides, payments }: Features,
) {
  /** The email about a piece of news, with a way to end its kind without signing in. */
  async function letterFor(
    person: ContactDetails,
    row: store.NewsRow,
    { news, facts }: { news: News; facts: NewsFacts },
  ): Promise<Email> {
    const content = emailOf(news, person.language, facts, env.publicUrl + row.path);
    const unsubscribe = emailsAlways.includes(row.kind) ? undefined : await endingOf(row.kind, row.userId);
    return { to: person.email, ...content, ...(unsubscribe === undefined ? {} : { unsubscribe }) };
  }

  /** Where an email's reader ends its kind. */
  async function endingOf(kind: NotificationKind, userId: string): Promise<Email['unsubscribe']> {
    const code = await signedTokens.sign(`unsubscribe ${kind}`, [userId], later(clock.now(), linkLifeMs));
    const query = `kind=${kind}&code=${code}`;
    return {
      page: `${env.publicUrl}/pages/account/unsubscribe?${query}`,
      oneClick: `${env.publicUrl}/notification/one-click?${query}`,
    };
  }

  /** Whether a notice that is due is to leave the app: not yet over, not yet seen, and wanted, or needed whatever is wanted. */
  async function isStillNews(
    tx: Db,
    { channel, goodUntil, news: row }: store.DueNotice,
    now: Date,
  ): Promise<boolean> {
    if (goodUntil !== null && goodUntil <= now) return false;
    if (channel === 'email' && emailsAlways.includes(row.kind)) return isStillNeeded(tx, row);
    if (channel === 'push' && later(row.at, dayMs) <= now) return false;
    if (row.seenAt !== null || row.readAt !== null) return false;
    const chosen = completeChoices(await store.choicesOf(tx, row.userId));
    return chosen.kinds[row.kind][channel] && (channel === 'push' || chosen.agreed);
  }

  /** A passenger who has paid meanwhile is reminded of nothing. */
  async function isStillNeeded(tx: Db, { word, facts }: store.NewsRow): Promise<boolean> {
    const { bookingId, holdId } = facts as NewsFacts;
    // News of an earlier release does not say which booking it is about.
    if (word !== 'paymentNeeded' || bookingId === undefined) return true;
    const hold = await payments.current(tx, bookingId);
    return hold !== null && hold.id === holdId && needOf(hold) !== null;
  }

  async function send(
    tx: Db,
    { id, channel, goodUntil, news: row }: store.DueNotice,
    now: Date,
  ): Promise<void> {
    const person = (await identity.contactDetails([row.userId])).get(row.userId);
    if (person === undefined || !isNews(row.word)) return;
    const news = row.word;
    const facts: NewsFacts = { ...row.facts, name: (await namesOf(identity, [row])).get(row.otherId) ?? '' };
    const end = goodUntil === null ? {} : { goodUntilMs: goodUntil.getTime() };
    if (channel === 'email')
      return outbox.post(tx, { ...(await letterFor(person, row, { news, facts })), receipt: id, ...end });
    if (channel === 'sms') {
      const sms = smsOf(news, person.language, facts, env.publicUrl + row.path);
      if (person.phoneVerified) await outbox.text(tx, { to: person.phone, ...sms, receipt: id, ...end });
      return;
    }
    const { title, text } = wordsOf(news, person.language, facts);
    const message: Pushed = {
      title,
      body: text,
      tag: row.thing,
      path: row.path,
      language: person.language === 'zh' ? 'zh-CN' : 'en',
      atMs: row.at.getTime(),
    };
    const goodUntilMs = Math.min(later(row.at, dayMs).getTime(), goodUntil?.getTime() ?? Infinity);
    for (const device of await devicesOf(tx, row.userId, (family) => isSignedIn(family, now)))
      await outbox.push(tx, {
        deviceId: device.id,
        text: JSON.stringify(message),
        goodUntilMs,
        urgent: true,
        receipt: id,
      });
  }

  return {
    endingOf,

    /** How a person wants emails of a kind that writes its own: at all, and not before when. */
    async letterTerms(tx: Db, userId: string, kind: NotificationKind, now: Date) {
      const chosen = completeChoices(await store.choicesOf(tx, userId));
      return {
        isWanted: chosen.kinds[kind].email,
        mayGoOutAt: mayGoOutAt(chosen.quietHours, now),
      };
    },

    /**
     * Writes down a piece of news for one person: in the center, live where the app is open, and on its way out on every
     * channel they chose for its kind, unless they see it first.
     */
    async tell(userId: string, news: News, about: About): Promise<void> {
      const kind = kindOf(news);
      const now = clock.now();
      const [saved, devices, details] = await Promise.all([
        store.choicesOf(db, userId),
        devicesOf(db, userId, (family) => isSignedIn(family, now)),
        identity.contactDetails([userId]),
      ]);
      const person = details.get(userId);
      if (person === undefined) return;
      const chosen = completeChoices(saved);
      const {
        source,
        thing,
        otherId,
        path,
        grows = false,
        replaces,
        tooLateAt = null,
        goodUntil = null,
      } = about;
      await transact(async (tx) => {
        const facts = { ...about.facts };
        const row = { userId, source, thing, otherId, kind, word: news, facts, path, at: now };
        const newsId = await (replaces !== undefined
          ? store.replaceNews(tx, row, replaces === 'asRead' ? now : null)
          : grows
            ? store.renewNews(tx, row)
            : store.insertNews(tx, row));
        if (newsId === null) return;
        const leaves = replaces !== 'asRead' && (goodUntil === null || goodUntil > now);
        for (const channel of leaves ? notificationChannels : []) {
          if (channel === 'email' && emailsAlways.includes(kind)) {
            const dueAt = later(now, about.emailsAfterMs ?? waitMs.email);
            await store.insertNotice(tx, { newsId, userId, channel, dueAt, goodUntil }, false);
            continue;
          }
          if (!chosen.kinds[kind][channel]) continue;
          if (channel === 'push' ? devices.length === 0 : !chosen.agreed) continue;
          if (channel === 'email' && ownLetters.includes(kind)) continue;
          if (channel === 'sms' && !person.phoneVerified) continue;
          const pause = channel === 'email' && grows ? messagesLetterMs : waitMs[channel];
          const dueAt = mayGoOutAt(chosen.quietHours, later(now, pause), tooLateAt);
          const anew = channel === 'push' || replaces !== undefined;
          await store.insertNotice(tx, { newsId, userId, channel, dueAt, goodUntil }, anew);
        }
        await outbox.tell(tx, [userId], { topic: 'notification', id: newsId, news: `told.${kind}` });
      });
    },

    /** Hands over what is due. What has been seen or read meanwhile, or is no longer wanted, is dropped. */
    async sendDue(): Promise<void> {
      const now = clock.now();
      await transact(async (tx) => {
        for (const due of await store.takeDue(tx, now))
          // One that fails is tried again later, and the others leave without it.
          await tx
            .transaction(async (own) => {
              if (await isStillNews(own, due, now)) await send(own, due, now);
            })
            .catch(async (error: unknown) => {
              if (isConnectionLost(error)) throw error;
              log.error({ err: error, notice: due.id }, 'a notice could not be sent');
              await store.postpone(tx, due.id, later(now, failedWaitsMs));
            });
      });
    },

    /** Notes that a notice has left the app, so that the driver reads when and how the passenger was reminded. */
    async noteLeft(noticeId: string): Promise<void> {
      await transact(async (tx) => {
        const row = await store.noteLeft(tx, noticeId, clock.now());
        if (row?.word !== 'paymentNeeded' || !row.thing.startsWith('order:')) return;
        const rideId = row.thing.slice('order:'.length);
        const ride = await rides.rideById(rideId);
        if (ride === null) return;
        await outbox.tell(tx, [ride.driverId], { topic: 'order', id: rideId, news: null });
      });
    },
  };
}
