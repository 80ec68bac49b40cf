import type { Candidate } from '#contract/rides/views.ts';
import type { Email } from '../../../platform/messages/email.ts';

type Language = 'en' | 'zh';

export interface Lost {
  because: 'cancelled' | 'missed' | 'brokenOff';
  driverName: string;
  timeZone: string;
  candidates: readonly Candidate[];
  /** Where the request is opened. */
  link: string;
}

/** The email to somebody whose driver has let them down: what happened, and the rides that still serve them. */
export function rescueEmail(language: Language, lost: Lost): Omit<Email, 'to'> {
  const words = language === 'zh' ? zh : en;
  const paragraphs = [
    words.what(lost),
    lost.candidates.length > 0 ? words.others : words.none,
    ...lost.candidates.map((candidate) =>
      [
        `• ${timeOf(language, candidate.pickup.at, lost.timeZone)}  ${words.pickup(candidate.pickup.name || candidate.ride.from.name)}`,
        `  ${candidate.ride.driver.name} · ${words.price(candidate.fareCents)}`,
      ].join('\n'),
    ),
    `${words.open}\n${lost.link}`,
    words.signature,
  ];
  return { subject: words.subject(lost), text: `${paragraphs.join('\n\n')}\n` };
}

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

const en = {
  subject: ({ because, driverName, candidates }: Lost) =>
    because === 'brokenOff'
      ? `${driverName} cannot go on: ${candidates.length > 0 ? 'other rides go on from where you are' : 'we look for a ride from where you are'}`
      : candidates.length > 0
        ? `${driverName} is not coming: ${candidates.length === 1 ? 'another ride goes' : 'other rides go'} your way`
        : `${driverName} is not coming: your request is open again`,
  what: ({ because, driverName }: Lost) =>
    because === 'brokenOff'
      ? `Your ride with ${driverName} ended on the way. You pay only for what you have ridden, and your request is open again from where you are, for an hour.`
      : because === 'cancelled'
        ? `${driverName} has cancelled your ride. You pay nothing, and your request is open again.`
        : `${driverName} did not come. You pay nothing, and your request is open again.`,
  others: 'These rides still go your way:',
  none: 'No other ride goes your way right now. We keep looking for you.',
  pickup: (name: string) => `pick-up: ${name}`,
  price: (cents: number) => (cents === 0 ? 'free' : dollars(cents)),
  open: 'Ask with one tap:',
  signature: 'Sameway',
};

const zh: typeof en = {
  subject: ({ because, driverName, candidates }) =>
    because === 'brokenOff'
      ? `${driverName} 无法继续行驶：${candidates.length > 0 ? `还有 ${candidates.length} 个行程可从您所在位置接您` : '正从您所在位置为您找车'}`
      : candidates.length > 0
        ? `${driverName} 无法前来：还有 ${candidates.length} 个顺路行程`
        : `${driverName} 无法前来：已重新为您找车`,
  what: ({ because, driverName }) =>
    because === 'brokenOff'
      ? `您与 ${driverName} 的行程中途结束。您只需支付已乘坐的部分；您的找车需求已从您所在位置重新开放，有效一小时。`
      : because === 'cancelled'
        ? `${driverName} 取消了您的行程。您无需付费，您的找车需求已重新开放。`
        : `${driverName} 没有来。您无需付费，您的找车需求已重新开放。`,
  others: '以下行程仍与您顺路：',
  none: '目前没有其他顺路行程，我们会继续为您寻找。',
  pickup: (name) => `上车点：${name}`,
  price: (cents) => (cents === 0 ? '免费' : dollars(cents)),
  open: '一键请求同行：',
  signature: '顺路 Sameway',
};

function timeOf(language: Language, iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(iso));
}
