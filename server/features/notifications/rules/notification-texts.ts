import { money, price } from '#contract/formats/amounts.ts';
import { dateAndTime, weekdayOf } from '#contract/formats/times.ts';
import type { NewsAnswer, NotificationKind } from '#contract/notifications/endpoints.ts';
import type { Sms } from '../../../platform/messages/sms.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';

/** The facts that a notification's text uses. */
export interface NewsFacts {
  /** The other person's name; empty where there is none. */
  name?: string;
  orderNumber?: string;
  /** The names of the order's two places. */
  from?: string;
  to?: string;
  /** ISO 8601, with the IANA zone to show it in. */
  departsAt?: string;
  timeZone?: string;
  price?: Price;
  /** The driver's proposal: `departsAt` and `price` stay as agreed until it applies. */
  proposal?: { departsAt: string; cents: number; isOtherWay: boolean };
  /** The subject of the person's answer: the booking, the proposed change, or the pending payment. */
  bookingId?: string;
  changeId?: string;
  authorizationId?: string;
  need?: string;
  amountCents?: number;
  /** An event's name, or the reason of a decision. */
  text?: string;
  /** The number of messages. */
  count?: number;
}

/** `share` is the passenger's whole share, `most` the same where it may still decrease. */
export interface Price {
  cents: number;
  per: 'share' | 'most' | 'person' | 'car';
}

/** Every notification and the setting (kind) that controls it. Its title has the same name in the catalog. */
const kinds = {
  asked: 'ask',
  invited: 'invitation',
  seatOffered: 'invitation',
  accepted: 'answer',
  rejected: 'answer',
  invitationDeclined: 'answer',
  joinedAtOnce: 'joined',
  invitationAccepted: 'joined',
  placeProposed: 'invitation',
  changeProposed: 'change',
  changeApplied: 'change',
  rideEdited: 'change',
  driverCancelled: 'change',
  brokenOff: 'change',
  brokenOffByAdmin: 'change',
  passengerCancelled: 'change',
  missed: 'change',
  driverMissed: 'change',
  tookPlaceAsked: 'change',
  meetingAsked: 'change',
  eveningBefore: 'reminder',
  hourBefore: 'reminder',
  departed: 'onTheWay',
  reached: 'reached',
  paymentNeeded: 'paymentNeeded',
  accountNotReady: 'paymentNeeded',
  driverAccount: 'paymentNeeded',
  receipt: 'receipt',
  paid: 'receipt',
  debtWrittenOff: 'receipt',
  fareWrittenOff: 'receipt',
  reviewed: 'review',
  messages: 'chat',
  contactApplied: 'contact',
  contactAccepted: 'contact',
  eventMoved: 'event',
  eventCancelled: 'event',
  rideHit: 'alert',
  requestHit: 'alert',
  licenceAccepted: 'license',
  licenceRejected: 'license',
  rideNearby: 'nearby',
  requestNearby: 'nearby',
  ticketAnswered: 'support',
  exportReady: 'support',
  exportFailed: 'support',
} as const satisfies Record<string, NotificationKind>;

export type News = keyof typeof kinds;
export const allNews = Object.keys(kinds) as News[];
export const isNews = (word: string): word is News => Object.hasOwn(kinds, word);

const asks: Partial<Record<News, NewsAnswer['to']>> = {
  asked: 'ask',
  invited: 'invitation',
  seatOffered: 'invitation',
  changeProposed: 'change',
};

/** The question of a notification; null where it asks for nothing. */
export const asksFor = (news: News): NewsAnswer['to'] | null => asks[news] ?? null;

/** The setting that controls a notification. */
export const kindOf = (news: News): NotificationKind => kinds[news];

/** `Tue, Nov 24, 7:15 AM PST`, by the clocks of the place. */
const whenWords = (language: Language, iso: string, timeZone: string): string =>
  dateAndTime(iso, timeZone, { language, zone: null });

/** Notifications that show the price, because the person decides by it or is bound to it. */
const priced: ReadonlySet<News> = new Set([
  'asked',
  'invited',
  'seatOffered',
  'accepted',
  'joinedAtOnce',
  'invitationAccepted',
  'changeProposed',
  'changeApplied',
  'rideEdited',
  'eveningBefore',
  'hourBefore',
  'paymentNeeded',
  'driverAccount',
  'rideNearby',
  'requestNearby',
]);

function priceWords(language: Language, { cents, per }: Price): string {
  const t = translate(language);
  if (cents === 0) return t('notices:line.free');
  const amount = price(cents, language);
  return per === 'share' ? amount : t(`notices:line.${per}`, { amount });
}

/** A ride's facts in words; each is empty where it is unknown or of no concern. */
export interface RideWords {
  from: string;
  to: string;
  /** For a proposal the new values. */
  when: string;
  money: string;
  /** The agreed values, where a proposal has others. */
  was: { when: string; money: string };
  /** A proposal of another route. */
  otherWay: string;
}

export function rideWords(news: News, language: Language, facts: NewsFacts): RideWords {
  const { from = '', to = '', departsAt = '', timeZone = 'UTC', price } = facts;
  const t = translate(language);
  const proposal = news === 'changeProposed' ? facts.proposal : undefined;
  const whenOf = (iso: string) => (iso === '' ? '' : whenWords(language, iso, timeZone));
  const moneyOf = (cents: number) => priceWords(language, { cents, per: price?.per ?? 'share' });
  const agreed = { when: whenOf(departsAt), money: price === undefined ? '' : moneyOf(price.cents) };
  const told =
    proposal === undefined ? agreed : { when: whenOf(proposal.departsAt), money: moneyOf(proposal.cents) };
  return {
    from,
    to,
    when: told.when,
    money: priced.has(news) ? told.money : '',
    was: {
      when: told.when === agreed.when ? '' : agreed.when,
      money: told.money === agreed.money ? '' : agreed.money,
    },
    otherWay: proposal?.isOtherWay === true ? t('notices:line.otherWay') : '',
  };
}

/** Places, time and price in one line; for a proposal the new values with the agreed ones. */
function rideLine(news: News, language: Language, facts: NewsFacts, title: string): string {
  const { orderNumber: number = '' } = facts;
  const { from, to, when, money, was, otherWay } = rideWords(news, language, facts);
  const t = translate(language);
  const instead = (proposed: string, agreed: string) =>
    agreed === '' ? proposed : t('notices:line.instead', { proposed, agreed });
  // Older notifications were stored without places and have only the order number.
  const route = from === '' || to === '' ? t('notices:line.ride', { number }) : `${from} → ${to}`;
  // Leaves out what the title already contains.
  const time = title.includes(when) ? '' : instead(when, was.when);
  return [route, otherWay, time, instead(money, was.money)].filter((part) => part !== '').join(' · ');
}

function titleOf(news: News, language: Language, facts: NewsFacts): string {
  const { name = '', departsAt = '', timeZone = 'UTC', amountCents = 0, count = 1 } = facts;
  const t = translate(language);
  const when = departsAt === '' ? '' : whenWords(language, departsAt, timeZone);
  const day = departsAt === '' ? '' : weekdayOf(departsAt, timeZone, language);
  const said = { name, when, day, count, money: money(amountCents, language) };
  if (news === 'brokenOff' && amountCents === 0) return t('notices:titles.brokenOffFree', said);
  if (news === 'messages' && count === 1) return t('notices:titles.message', said);
  return t(`notices:titles.${news}`, said);
}

/** The text of a notification: a title, and one line about its subject, which may be empty. */
export function wordsOf(news: News, language: Language, facts: NewsFacts): { title: string; text: string } {
  const { orderNumber = '', text = '' } = facts;
  const title = titleOf(news, language, facts);
  if (orderNumber !== '') return { title, text: rideLine(news, language, facts, title) };
  return { title, text: title.includes(text) ? '' : text };
}

/** A notification as an SMS of one line. */
export function smsOf(news: News, language: Language, facts: NewsFacts, link: string): Omit<Sms, 'to'> {
  const { title, text } = wordsOf(news, language, facts);
  const key = text === '' ? 'sms:title' : 'sms:notice';
  return { text: translate(language)(key, { title, text, link }), secrets: [link] };
}
