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

interface NewsRule {
  /** The setting that controls it. */
  kind: NotificationKind;
  /** The text of its email's button: the verb for the very thing that it is about. */
  button: string;
  /** The question that it asks. */
  asks?: NewsAnswer['to'];
  /** It shows the price, because the person decides by it or is bound to it. */
  isPriced?: true;
}

/** Every notification; its title has the same name in the catalog. */
const rules = {
  asked: { kind: 'ask', button: 'seeRequest', asks: 'ask', isPriced: true },
  invited: { kind: 'invitation', button: 'seeInvitation', asks: 'invitation', isPriced: true },
  seatOffered: { kind: 'invitation', button: 'seeInvitation', asks: 'invitation', isPriced: true },
  accepted: { kind: 'answer', button: 'seeRide', isPriced: true },
  rejected: { kind: 'answer', button: 'seeOthers' },
  invitationDeclined: { kind: 'answer', button: 'seeRide' },
  joinedAtOnce: { kind: 'joined', button: 'seeRide', isPriced: true },
  invitationAccepted: { kind: 'joined', button: 'seeRide', isPriced: true },
  placeProposed: { kind: 'invitation', button: 'seePlan' },
  changeProposed: { kind: 'change', button: 'seeChange', asks: 'change', isPriced: true },
  changeApplied: { kind: 'change', button: 'seeChange', isPriced: true },
  rideEdited: { kind: 'change', button: 'seeChange', isPriced: true },
  driverCancelled: { kind: 'change', button: 'seeOwnRequest' },
  brokenOff: { kind: 'change', button: 'seeOwnRequest' },
  brokenOffByAdmin: { kind: 'change', button: 'seeRide' },
  passengerCancelled: { kind: 'change', button: 'seeRide' },
  missed: { kind: 'change', button: 'seeWhat' },
  driverMissed: { kind: 'change', button: 'seeWhat' },
  tookPlaceAsked: { kind: 'change', button: 'tellUs' },
  meetingAsked: { kind: 'change', button: 'tellUs' },
  eveningBefore: { kind: 'reminder', button: 'seeRide', isPriced: true },
  hourBefore: { kind: 'reminder', button: 'seeRide', isPriced: true },
  departed: { kind: 'onTheWay', button: 'follow' },
  reached: { kind: 'reached', button: 'meet' },
  paymentNeeded: { kind: 'paymentNeeded', button: 'pay', isPriced: true },
  accountNotReady: { kind: 'paymentNeeded', button: 'setUp' },
  driverAccount: { kind: 'paymentNeeded', button: 'seeRide', isPriced: true },
  receipt: { kind: 'receipt', button: 'receipt' },
  paid: { kind: 'receipt', button: 'earnings' },
  debtWrittenOff: { kind: 'receipt', button: 'seeRide' },
  fareWrittenOff: { kind: 'receipt', button: 'seeRide' },
  reviewed: { kind: 'review', button: 'review' },
  messages: { kind: 'chat', button: 'reply' },
  contactApplied: { kind: 'contact', button: 'seePerson' },
  contactAccepted: { kind: 'contact', button: 'seePerson' },
  eventMoved: { kind: 'event', button: 'event' },
  eventCancelled: { kind: 'event', button: 'event' },
  rideHit: { kind: 'alert', button: 'alerts' },
  requestHit: { kind: 'alert', button: 'alerts' },
  licenceAccepted: { kind: 'license', button: 'license' },
  licenceRejected: { kind: 'license', button: 'license' },
  rideNearby: { kind: 'nearby', button: 'seeRide', isPriced: true },
  requestNearby: { kind: 'nearby', button: 'seeRequest', isPriced: true },
  ticketAnswered: { kind: 'support', button: 'readAnswer' },
  exportReady: { kind: 'support', button: 'download' },
  exportFailed: { kind: 'support', button: 'again' },
} as const satisfies Record<string, NewsRule>;

export type News = keyof typeof rules;
export const allNews = Object.keys(rules) as News[];
export const isNews = (word: string): word is News => Object.hasOwn(rules, word);
const ruleOf = (news: News): NewsRule => rules[news];

/** The question of a notification; null where it asks for nothing. */
export const asksFor = (news: News): NewsAnswer['to'] | null => ruleOf(news).asks ?? null;

/** The setting that controls a notification. */
export const kindOf = (news: News): NotificationKind => rules[news].kind;

/** The text of the button of its email, in the catalog. */
export const buttonOf = (news: News) => rules[news].button;

/** `Tue, Nov 24, 7:15 AM PST`, by the clocks of the place. */
const whenWords = (language: Language, iso: string, timeZone: string): string =>
  dateAndTime(iso, timeZone, { language, zone: null });

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
    money: ruleOf(news).isPriced === true ? told.money : '',
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
