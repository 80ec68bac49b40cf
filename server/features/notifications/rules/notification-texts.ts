import { emailsAlways, type NotificationKind } from '#contract/notifications/endpoints.ts';
import { button, paragraph, signature, type EmailContent } from '../../../platform/messages/email-blocks.ts';
import type { Sms } from '../../../platform/messages/sms.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';

/** What the words of a piece of news are made of. */
export interface NewsFacts {
  /** The other person's name; empty where nobody is named. */
  name?: string;
  orderNumber?: string;
  /** The names of the places that it leads between. */
  from?: string;
  to?: string;
  /** ISO 8601, with the IANA zone of the place it is told in. */
  departsAt?: string;
  timeZone?: string;
  price?: Price;
  /** What the driver proposes: `departsAt` and `price` are as agreed until it applies. */
  proposal?: { departsAt: string; cents: number; isOtherWay: boolean };
  /** What the person can answer: the booking, the proposed change, and the payment that waits for them. */
  bookingId?: string;
  changeId?: string;
  holdId?: string;
  need?: string;
  amountCents?: number;
  /** An event's name, the reason of a decision. */
  text?: string;
  /** How many messages. */
  count?: number;
}

/** `share` is the passenger's whole share, `most` the same where it may become less. */
export interface Price {
  cents: number;
  per: 'share' | 'most' | 'person' | 'car';
}

/** What a title is made of. */
interface Said {
  name: string;
  amountCents: number;
  count: number;
  when: string;
  money: string;
}

type Sentence = (said: Said) => string;

/** Every piece of news: the setting that decides over it, and how it is said to one of those concerned. */
const words = {
  asked: {
    kind: 'ask',
    en: ({ name }) => `${name} asks to join your ride`,
    zh: ({ name }) => `${name} 想搭您的车`,
  },
  invited: {
    kind: 'invitation',
    en: ({ name }) => `${name} invites you to a ride`,
    zh: ({ name }) => `${name} 邀请您同行`,
  },
  seatOffered: {
    kind: 'invitation',
    en: ({ name }) => `A seat in ${name}’s ride is free and kept for you`,
    zh: ({ name }) => `${name} 的车有空座了，正为您保留`,
  },
  accepted: {
    kind: 'answer',
    en: ({ name }) => `${name} takes you along`,
    zh: ({ name }) => `${name} 已接受您的请求`,
  },
  rejected: {
    kind: 'answer',
    en: ({ name }) => `${name} cannot take you along`,
    zh: ({ name }) => `${name} 未能接受您的请求`,
  },
  invitationDeclined: {
    kind: 'answer',
    en: ({ name }) => `${name} declines your invitation`,
    zh: ({ name }) => `${name} 谢绝了邀请`,
  },
  joinedAtOnce: {
    kind: 'joined',
    en: ({ name }) => `${name} joins your ride`,
    zh: ({ name }) => `${name} 已加入您的行程`,
  },
  invitationAccepted: {
    kind: 'joined',
    en: ({ name }) => `${name} joins your ride`,
    zh: ({ name }) => `${name} 已加入您的行程`,
  },
  placeProposed: {
    kind: 'invitation',
    en: ({ name }) => `The organiser of your event proposes that you ride with ${name}`,
    zh: ({ name }) => `活动组织者建议您与 ${name} 同行`,
  },
  changeProposed: {
    kind: 'change',
    en: ({ name }) => `${name} proposes a change of your ride`,
    zh: ({ name }) => `${name} 提议更改行程`,
  },
  changeApplied: {
    kind: 'change',
    en: () => 'Your ride has changed, as proposed',
    zh: () => '行程已按提议更改',
  },
  rideEdited: {
    kind: 'change',
    en: ({ name }) => `${name} changed details of your ride`,
    zh: ({ name }) => `${name} 修改了行程信息`,
  },
  driverCancelled: {
    kind: 'change',
    en: ({ name }) => `${name} cancelled your ride`,
    zh: ({ name }) => `${name} 取消了行程`,
  },
  brokenOff: {
    kind: 'change',
    en: ({ name, amountCents, money }) =>
      amountCents > 0
        ? `${name}’s ride ended on the way: you pay ${money} for what you have ridden`
        : `${name}’s ride ended on the way: you pay nothing`,
    zh: ({ name, amountCents, money }) =>
      amountCents > 0
        ? `${name} 的行程中途结束：您只需为已乘坐的部分支付 ${money}`
        : `${name} 的行程中途结束：您无需支付`,
  },
  brokenOffByAdmin: {
    kind: 'change',
    en: () => 'The Sameway team has ended your ride on the way',
    zh: () => '顺路团队已在途中结束您的行程',
  },
  passengerCancelled: {
    kind: 'change',
    en: ({ name }) => `${name} no longer rides with you`,
    zh: ({ name }) => `${name} 不再同行`,
  },
  missed: {
    kind: 'change',
    en: () => 'You were marked as a no-show',
    zh: () => '您被标记为未到',
  },
  driverMissed: {
    kind: 'change',
    en: ({ name }) => `${name} reported that you did not come`,
    zh: ({ name }) => `${name} 反映您没有到达`,
  },
  tookPlaceAsked: {
    kind: 'change',
    en: ({ when }) => `Did your ride of ${when} take place? Our service was interrupted: please tell us`,
    zh: ({ when }) => `您${when}的行程成行了吗？当时服务中断，请告诉我们`,
  },
  eveningBefore: {
    kind: 'reminder',
    en: ({ when }) => `Your ride leaves ${when}`,
    zh: ({ when }) => `您的行程将于${when}出发`,
  },
  hourBefore: {
    kind: 'reminder',
    en: ({ when }) => `Soon: your ride leaves ${when}`,
    zh: ({ when }) => `即将出发：您的行程将于${when}出发`,
  },
  departed: {
    kind: 'onTheWay',
    en: ({ name }) => `${name} is on the way to you`,
    zh: ({ name }) => `${name} 已出发，正在来接您`,
  },
  reached: {
    kind: 'reached',
    en: ({ name }) => `${name} is at your pick-up point`,
    zh: ({ name }) => `${name} 已到达上车点`,
  },
  paymentNeeded: {
    kind: 'paymentNeeded',
    en: () => 'Your ride needs a payment method',
    zh: () => '您的行程需要付款方式',
  },
  accountNotReady: {
    kind: 'paymentNeeded',
    en: () =>
      'The connected payment account is not ready: set it up in the payment menu or set the cost to zero.',
    zh: () => '收款账户尚未就绪：请在支付菜单中完成设置，或将费用设为零。',
  },
  driverAccount: {
    kind: 'paymentNeeded',
    en: ({ name }) => `${name}’s account cannot take payments at the moment`,
    zh: ({ name }) => `${name} 的账户目前无法收款`,
  },
  receipt: {
    kind: 'receipt',
    en: ({ money }) => `Receipt: you paid ${money} for your ride`,
    zh: ({ money }) => `收据：您已支付行程费用 ${money}`,
  },
  paid: {
    kind: 'receipt',
    en: ({ name, money }) => `${name} paid ${money} for your ride`,
    zh: ({ name, money }) => `${name} 已支付行程费用 ${money}`,
  },
  reviewed: {
    kind: 'review',
    en: ({ name }) => `${name} reviewed a ride with you`,
    zh: ({ name }) => `${name} 评价了与您的行程`,
  },
  messages: {
    kind: 'chat',
    en: ({ name, count }) => (count === 1 ? `${name} wrote to you` : `${name}: ${count} new messages`),
    zh: ({ name, count }) => (count === 1 ? `${name} 给您发了消息` : `${name}：${count} 条新消息`),
  },
  contactApplied: {
    kind: 'contact',
    en: ({ name }) => `${name} would like to be your contact`,
    zh: ({ name }) => `${name} 想加您为联系人`,
  },
  contactAccepted: {
    kind: 'contact',
    en: ({ name }) => `${name} is now your contact`,
    zh: ({ name }) => `${name} 已成为您的联系人`,
  },
  eventMoved: {
    kind: 'event',
    en: ({ name }) => `${name} changed the time or place of the event you ride to`,
    zh: ({ name }) => `${name} 更改了您要前往的活动的时间或地点`,
  },
  eventCancelled: {
    kind: 'event',
    en: ({ name }) => `${name} called off the event you ride to`,
    zh: ({ name }) => `${name} 取消了您要前往的活动`,
  },
  rideHit: {
    kind: 'alert',
    en: () => 'A ride fits your alert',
    zh: () => '有行程符合您的提醒',
  },
  requestHit: {
    kind: 'alert',
    en: () => 'A passenger fits your alert',
    zh: () => '有乘客符合您的提醒',
  },
  licenceAccepted: {
    kind: 'licence',
    en: () => 'Your driver license is verified',
    zh: () => '您的驾驶证已通过审核',
  },
  licenceRejected: {
    kind: 'licence',
    en: () => 'Your driver license photos were not accepted',
    zh: () => '您的驾驶证照片未通过审核',
  },
  rideNearby: {
    kind: 'nearby',
    en: () => 'A new ride starts near one of your places',
    zh: () => '您常用地址附近有新的行程',
  },
  requestNearby: {
    kind: 'nearby',
    en: () => 'Somebody near one of your places looks for a ride',
    zh: () => '您常用地址附近有人找顺风车',
  },
} as const satisfies Record<string, { kind: NotificationKind } & Record<Language, Sentence>>;

export type News = keyof typeof words;
export const allNews = Object.keys(words) as News[];
export const isNews = (word: string): word is News => Object.hasOwn(words, word);

/** The setting that decides over a piece of news. */
export const kindOf = (news: News): NotificationKind => words[news].kind;

/** "Tue 24 Nov, 07:15 PST", or "11月24日周二 07:15（GMT-8）", by the clocks of the place. */
function whenWords(language: Language, iso: string, timeZone: string): string {
  const at = new Date(iso);
  const part = (locale: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(at);
  const time = part('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const zone = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-US', {
    timeZone,
    timeZoneName: 'short',
  })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')!.value;
  const day = part(language === 'zh' ? 'zh-CN' : 'en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  }).replace(',', '');
  return language === 'zh' ? `${day} ${time}（${zone}）` : `${day}, ${time} ${zone}`;
}

/** News in which the price is what the person decides by, or is bound by. */
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

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

function priceWords(language: Language, { cents, per }: Price): string {
  const zh = language === 'zh';
  if (cents === 0) return zh ? '免费' : 'Free';
  const amount = dollars(cents);
  if (per === 'person') return zh ? `每人 ${amount}` : `${amount} per person`;
  if (per === 'car') return zh ? `每车 ${amount}` : `${amount} per car`;
  if (per === 'most') return zh ? `最多 ${amount}` : `${amount} at most`;
  return amount;
}

/** Where, when and for how much; of a proposal what it would be, with what it was. */
function rideLine(news: News, language: Language, facts: NewsFacts, title: string): string {
  const { orderNumber = '', from = '', to = '', departsAt = '', timeZone = 'UTC', price } = facts;
  const zh = language === 'zh';
  const proposal = news === 'changeProposed' ? facts.proposal : undefined;
  const whenOf = (iso: string) => (iso === '' ? '' : whenWords(language, iso, timeZone));
  const moneyOf = (cents: number) => priceWords(language, { cents, per: price?.per ?? 'share' });
  const instead = (is: string, was: string) =>
    is === was || was === '' ? is : zh ? `${is}（原为 ${was}）` : `${is} (was ${was})`;
  const was = { when: whenOf(departsAt), money: price === undefined ? '' : moneyOf(price.cents) };
  const when = proposal === undefined ? was.when : instead(whenOf(proposal.departsAt), was.when);
  const money = proposal === undefined ? was.money : instead(moneyOf(proposal.cents), was.money);
  // News from before routes were kept with it has the number alone.
  const route = from === '' || to === '' ? `${zh ? '行程' : 'Ride'} ${orderNumber}` : `${from} → ${to}`;
  return [
    route,
    ...(proposal?.isOtherWay === true ? [zh ? '新路线' : 'another way'] : []),
    // What the title says is not said again.
    ...(when === '' || title.includes(when) ? [] : [when]),
    ...(priced.has(news) && money !== '' ? [money] : []),
  ].join(' · ');
}

/** A piece of news in words: what happened, and one line of what it is about, which may be empty. */
export function wordsOf(news: News, language: Language, facts: NewsFacts): { title: string; text: string } {
  const { name = '', orderNumber = '', departsAt = '', timeZone = 'UTC' } = facts;
  const { amountCents = 0, text = '', count = 1 } = facts;
  const when = departsAt === '' ? '' : whenWords(language, departsAt, timeZone);
  const title = words[news][language]({ name, amountCents, count, when, money: dollars(amountCents) });
  if (orderNumber !== '') return { title, text: rideLine(news, language, facts, title) };
  return { title, text: title.includes(text) ? '' : text };
}

/** A piece of news as an email, which leads to its thing. */
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

/** The same in one line for a phone. */
export function smsOf(news: News, language: Language, facts: NewsFacts, link: string): Omit<Sms, 'to'> {
  const { title, text } = wordsOf(news, language, facts);
  const key = text === '' ? 'sms:title' : 'sms:notice';
  return { text: translate(language)(key, { title, text, link }), secrets: [link] };
}
