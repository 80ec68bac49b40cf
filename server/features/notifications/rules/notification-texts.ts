import { money, price } from '#contract/formats/amounts.ts';
import { dateAndTime } from '#contract/formats/times.ts';
import { emailsAlways, type NotificationKind } from '#contract/notifications/endpoints.ts';
import { button, paragraph, signature, type EmailContent } from '../../../platform/messages/email-blocks.ts';
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
  /** What the driver proposes: `departsAt` and `price` stay as agreed until it applies. */
  proposal?: { departsAt: string; cents: number; isOtherWay: boolean };
  /** What the person can answer: the booking, the proposed change, or the pending payment. */
  bookingId?: string;
  changeId?: string;
  holdId?: string;
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

/** Every news type and the setting (kind) that controls it. Its title has the same name in the catalog. */
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
  eveningBefore: 'reminder',
  hourBefore: 'reminder',
  departed: 'onTheWay',
  reached: 'reached',
  paymentNeeded: 'paymentNeeded',
  accountNotReady: 'paymentNeeded',
  driverAccount: 'paymentNeeded',
  receipt: 'receipt',
  paid: 'receipt',
  reviewed: 'review',
  messages: 'chat',
  contactApplied: 'contact',
  contactAccepted: 'contact',
  eventMoved: 'event',
  eventCancelled: 'event',
  rideHit: 'alert',
  requestHit: 'alert',
  licenceAccepted: 'licence',
  licenceRejected: 'licence',
  rideNearby: 'nearby',
  requestNearby: 'nearby',
  ticketAnswered: 'support',
  exportReady: 'support',
  exportFailed: 'support',
} as const satisfies Record<string, NotificationKind>;

export type News = keyof typeof kinds;
export const allNews = Object.keys(kinds) as News[];
export const isNews = (word: string): word is News => Object.hasOwn(kinds, word);

/** The setting that controls a news type. */
export const kindOf = (news: News): NotificationKind => kinds[news];

/** `Tue, Nov 24, 7:15 AM PST`, by the clocks of the place. */
const whenWords = (language: Language, iso: string, timeZone: string): string =>
  dateAndTime(iso, timeZone, { language, zone: null });

/** News that shows the price, because the person decides by it or is bound to it. */
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

/** Places, time and price; for a proposal the new values with the agreed ones. */
function rideLine(news: News, language: Language, facts: NewsFacts, title: string): string {
  const { orderNumber = '', from = '', to = '', departsAt = '', timeZone = 'UTC', price } = facts;
  const t = translate(language);
  const proposal = news === 'changeProposed' ? facts.proposal : undefined;
  const whenOf = (iso: string) => (iso === '' ? '' : whenWords(language, iso, timeZone));
  const moneyOf = (cents: number) => priceWords(language, { cents, per: price?.per ?? 'share' });
  const instead = (is: string, was: string) =>
    is === was || was === '' ? is : t('notices:line.instead', { proposed: is, agreed: was });
  const was = { when: whenOf(departsAt), money: price === undefined ? '' : moneyOf(price.cents) };
  const when = proposal === undefined ? was.when : instead(whenOf(proposal.departsAt), was.when);
  const money = proposal === undefined ? was.money : instead(moneyOf(proposal.cents), was.money);
  // Older news was stored without places and has only the order number.
  const route =
    from === '' || to === '' ? t('notices:line.ride', { number: orderNumber }) : `${from} → ${to}`;
  return [
    route,
    ...(proposal?.isOtherWay === true ? [t('notices:line.otherWay')] : []),
    // Leaves out what the title already contains.
    ...(when === '' || title.includes(when) ? [] : [when]),
    ...(priced.has(news) && money !== '' ? [money] : []),
  ].join(' · ');
}

function titleOf(news: News, language: Language, facts: NewsFacts): string {
  const { name = '', departsAt = '', timeZone = 'UTC', amountCents = 0, count = 1 } = facts;
  const t = translate(language);
  const when = departsAt === '' ? '' : whenWords(language, departsAt, timeZone);
  const said = { name, when, count, money: money(amountCents, language) };
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

/** A notification as an email with a link to its subject. */
export function emailOf(news: News, language: Language, facts: NewsFacts, link: string): EmailContent {
  const { title, text } = wordsOf(news, language, facts);
  const t = translate(language);
  const about = text === '' ? '' : t('notice.sentence', { text });
  const isAlways = emailsAlways.includes(kindOf(news));
  return {
    language,
    subject: title,
    preview: about,
    blocks: [
      paragraph(t('hello')),
      ...(about === '' ? [] : [paragraph(about)]),
      button(link),
      ...(isAlways ? [] : [paragraph(t('notice.choices'))]),
      signature,
    ],
  };
}

/** A notification as an SMS of one line. */
export function smsOf(news: News, language: Language, facts: NewsFacts, link: string): Omit<Sms, 'to'> {
  const { title, text } = wordsOf(news, language, facts);
  const key = text === '' ? 'sms:title' : 'sms:notice';
  return { text: translate(language)(key, { title, text, link }), secrets: [link] };
}
