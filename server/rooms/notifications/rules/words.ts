import type { NotificationKind } from '#contract/notifications/endpoints.ts';

export type Language = 'en' | 'zh';

/** What happened, for one of those concerned. */
export type News =
  | 'asked'
  | 'invited'
  | 'seatOffered'
  | 'placeProposed'
  | 'eventMoved'
  | 'eventCancelled'
  | 'changeProposed'
  | 'changeApplied'
  | 'accepted'
  | 'joinedAtOnce'
  | 'invitationAccepted'
  | 'rejected'
  | 'invitationDeclined'
  | 'driverCancelled'
  | 'passengerCancelled'
  | 'reached'
  | 'missed'
  | 'reviewed'
  | 'rideNearby'
  | 'requestNearby';

/** The setting that decides over each piece of news. */
export const kindOf: Record<News, NotificationKind> = {
  asked: 'ask',
  invited: 'invitation',
  seatOffered: 'invitation',
  placeProposed: 'invitation',
  eventMoved: 'change',
  eventCancelled: 'change',
  changeProposed: 'change',
  changeApplied: 'change',
  accepted: 'answer',
  joinedAtOnce: 'ask',
  invitationAccepted: 'answer',
  rejected: 'answer',
  invitationDeclined: 'answer',
  driverCancelled: 'change',
  passengerCancelled: 'change',
  missed: 'change',
  reached: 'reached',
  reviewed: 'review',
  rideNearby: 'nearby',
  requestNearby: 'nearby',
};

export interface NewsFacts {
  /** The other person's name; empty where nobody is named. */
  name: string;
  orderNumber: string;
  departsAt: Date;
  timeZone: string;
  /** Where the order is opened. */
  link: string;
}

const sentences: Record<News, Record<Language, (name: string) => string>> = {
  asked: { en: (name) => `${name} asks to join your ride`, zh: (name) => `${name} 想搭您的车` },
  invited: { en: (name) => `${name} invites you to a ride`, zh: (name) => `${name} 邀请您同行` },
  accepted: { en: (name) => `${name} takes you along`, zh: (name) => `${name} 已接受您的请求` },
  seatOffered: {
    en: (name) => `A seat in ${name}’s ride is free and kept for you`,
    zh: (name) => `${name} 的车有空座了，正为您保留`,
  },
  placeProposed: {
    en: (name) => `The organiser of your event proposes that you ride with ${name}`,
    zh: (name) => `活动组织者建议您与 ${name} 同行`,
  },
  eventMoved: {
    en: (name) => `${name} changed the time or place of the event you ride to`,
    zh: (name) => `${name} 更改了您要前往的活动的时间或地点`,
  },
  eventCancelled: {
    en: (name) => `${name} called off the event you ride to`,
    zh: (name) => `${name} 取消了您要前往的活动`,
  },
  changeProposed: {
    en: (name) => `${name} proposes another time or price for your ride`,
    zh: (name) => `${name} 提议更改行程的时间或价格`,
  },
  changeApplied: {
    en: () => 'Everybody has accepted: your ride has changed',
    zh: () => '所有人都已同意，行程已更改',
  },
  joinedAtOnce: { en: (name) => `${name} joins your ride`, zh: (name) => `${name} 已加入您的行程` },
  invitationAccepted: { en: (name) => `${name} joins your ride`, zh: (name) => `${name} 已加入您的行程` },
  rejected: { en: (name) => `${name} cannot take you along`, zh: (name) => `${name} 未能接受您的请求` },
  invitationDeclined: {
    en: (name) => `${name} declines your invitation`,
    zh: (name) => `${name} 谢绝了邀请`,
  },
  driverCancelled: { en: (name) => `${name} cancelled your ride`, zh: (name) => `${name} 取消了行程` },
  passengerCancelled: { en: (name) => `${name} no longer rides with you`, zh: (name) => `${name} 不再同行` },
  missed: { en: () => 'You were marked as a no-show', zh: () => '您被标记为未到' },
  reached: { en: (name) => `${name} is at your pick-up point`, zh: (name) => `${name} 已到达上车点` },
  reviewed: { en: (name) => `${name} reviewed a ride with you`, zh: (name) => `${name} 评价了与您的行程` },
  rideNearby: { en: () => 'A new ride starts near one of your places', zh: () => '您常用地址附近有新的行程' },
  requestNearby: {
    en: () => 'Somebody near one of your places looks for a ride',
    zh: () => '您常用地址附近有人找顺风车',
  },
};

/** The words of one piece of news: a subject, a letter, and one line for a phone. */
export function wordsOf(
  news: News,
  language: Language,
  { name, orderNumber, departsAt, timeZone, link }: NewsFacts,
): { subject: string; letter: string; line: string } {
  const subject = sentences[news][language](name);
  const when = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-US', {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(departsAt);
  const letter =
    language === 'zh'
      ? [
          `${subject}。`,
          `行程 ${orderNumber}，${when}。`,
          link,
          '可在“通知设置”中更改或关闭这类消息。',
          '顺路 Sameway',
        ]
      : [
          `${subject}.`,
          `Ride ${orderNumber}, ${when}.`,
          link,
          'You can change or end these messages in Notification settings.',
          'Sameway',
        ];
  const line = language === 'zh' ? `【顺路】${subject}：${when} ${link}` : `${subject}: ${when} ${link}`;
  return { subject, letter: `${letter.join('\n\n')}\n`, line };
}
