import type { AlertHit } from '#contract/alerts/endpoints.ts';
import type { Email } from '../../../platform/messages/email.ts';

type Language = 'en' | 'zh';

/** So many orders stand in one email; how many more there are is said. */
const mostTold = 5;

export interface Told {
  /** The alert, as its owner entered it. */
  role: 'driver' | 'passenger';
  from: string;
  to: string;
  timeZone: string;
  hits: readonly AlertHit[];
  /** The address people open, without a slash at the end. */
  url: string;
}

/** The email that tells of orders which fit an alert: when, where, who, for how much, and where to look at each. */
export function alertEmail(language: Language, told: Told): Omit<Email, 'to'> {
  const words = language === 'zh' ? zh : en;
  const { hits, url } = told;
  const count = hits.length;
  const shown = hits.slice(0, mostTold);
  const paragraphs = [
    words.intro(told, count),
    ...shown.map((hit) =>
      [
        `• ${whenWords(language, hit.pickupAt, told.timeZone)}`,
        `  ${hit.order.from.name} → ${hit.order.to.name}`,
        `  ${factsOf(language, hit).join(' · ')}`,
        `  ${url}/pages/order/detail?id=${hit.order.id}`,
      ].join('\n'),
    ),
    ...(count > mostTold ? [words.more(count - mostTold)] : []),
    words.stop(`${url}/pages/discover/discover?view=alerts`),
    words.signature,
  ];
  return { subject: words.subject(told, count), text: `${paragraphs.join('\n\n')}\n` };
}

const en = {
  subject: ({ role, from, to }: Told, count: number) =>
    role === 'passenger'
      ? `${count === 1 ? 'A ride fits' : `${count} rides fit`} your alert: ${from} → ${to}`
      : `${count === 1 ? 'A passenger fits' : `${count} passengers fit`} your alert: ${from} → ${to}`,
  intro: ({ role, from, to }: Told, count: number) =>
    role === 'passenger'
      ? `You are waiting for a ride from ${from} to ${to}. ${count === 1 ? 'This one fits:' : 'These fit:'}`
      : `You are waiting for passengers from ${from} to ${to}. ${count === 1 ? 'This one is on your way:' : 'These are on your way:'}`,
  more: (count: number) => `And ${count} more in the app.`,
  stop: (address: string) =>
    `All your alerts, and how to delete this one:\n${address}\nWe write at most once an hour for each alert.`,
  signature: 'Sameway',
};

const zh: typeof en = {
  subject: ({ role, from, to }, count) =>
    role === 'passenger'
      ? `有 ${count} 个行程符合您的提醒：${from} → ${to}`
      : `有 ${count} 位乘客符合您的提醒：${from} → ${to}`,
  intro: ({ role, from, to }) =>
    role === 'passenger'
      ? `您好！您在等从${from}到${to}的行程，以下符合您的要求：`
      : `您好！您在等从${from}到${to}的顺路乘客，以下乘客与您顺路：`,
  more: (count) => `应用中还有 ${count} 个。`,
  stop: (address) => `查看全部提醒或删除此提醒：\n${address}\n每个提醒每小时最多发一封邮件。`,
  signature: '顺路 Sameway',
};

function factsOf(language: Language, { order, fareCents, detourSeconds }: AlertHit): string[] {
  const isZh = language === 'zh';
  const name = order.role === 'driver' ? order.driver.name : order.passenger.name;
  const price = fareCents === 0 ? (isZh ? '免费' : 'free') : `$${(fareCents / 100).toFixed(2)}`;
  const minutes = Math.round(detourSeconds / 60);
  const detour = isZh ? `绕行 ${minutes} 分钟` : `${minutes} min detour`;
  return [...(name === '' ? [] : [name]), price, detour];
}

function whenWords(language: Language, iso: string, timeZone: string): string {
  const options = { timeZone, weekday: 'short', day: 'numeric', month: 'short' } as const;
  const day = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', options).format(new Date(iso));
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(
    new Date(iso),
  );
  return `${day}${language === 'zh' ? ' ' : ', '}${time}`;
}
