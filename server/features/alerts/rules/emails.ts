import { price } from '#contract/formats/amounts.ts';
import { dateAndTime } from '#contract/formats/times.ts';
import type { AlertHit } from '#contract/alerts/endpoints.ts';
import {
  button,
  paragraph,
  quietButton,
  signature,
  type EmailBlock,
  type EmailContent,
} from '../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';

/** The maximum of orders listed in one email; the rest is given as a number. */
const mostTold = 5;

export interface Told {
  /** The alert's fields, as its owner entered them. */
  role: 'driver' | 'passenger';
  from: string;
  to: string;
  timeZone: string;
  hits: readonly AlertHit[];
  /** The public address of the app, without a slash at the end. */
  url: string;
}

/** The email about orders that fit an alert: when, where, who, the price, and a link to each. */
export function alertEmail(language: Language, told: Told): EmailContent {
  const { role, from, to, hits, url } = told;
  const t = translate(language);
  const count = hits.length;
  const intro = t(`alert.intro.${role}`, { from, to, count });
  return {
    language,
    subject: t(`alert.subject.${role}`, { from, to, count }),
    preview: intro,
    blocks: [
      paragraph(intro),
      ...hits.slice(0, mostTold).flatMap((hit) => blocksOf(language, hit, told)),
      ...(count > mostTold ? [paragraph(t('alert.more', { count: count - mostTold }))] : []),
      paragraph(t('alert.seldom')),
      quietButton(t('alert.all'), `${url}/pages/discover/discover?view=alerts`),
      signature,
    ],
  };
}

/** A match, and the button for what its reader can do about it. */
function blocksOf(language: Language, hit: AlertHit, { timeZone, url }: Told): EmailBlock[] {
  const { order, pickupAt, fareCents, detourSeconds } = hit;
  const t = translate(language);
  const name = order.role === 'driver' ? order.driver.name : order.passenger.name;
  const detour = t('alert.detour', { minutes: Math.round(detourSeconds / 60) });
  const invite = name === '' ? t('alert.inviteRider') : t('alert.invite', { name });
  return [
    {
      kind: 'rideCard',
      title: dateAndTime(pickupAt, timeZone, { language, zone: null }),
      price: fareCents === 0 ? t('free') : price(fareCents, language),
      route: { from: order.from.name, to: order.to.name },
      lines: [[name, detour].filter((part) => part !== '').join(' · ')],
    },
    button(order.role === 'driver' ? t('alert.ask') : invite, `${url}/pages/order/detail?id=${order.id}`),
  ];
}
