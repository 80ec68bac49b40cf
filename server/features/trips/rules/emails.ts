import { price } from '#contract/formats/amounts.ts';
import { dateAndTime } from '#contract/formats/times.ts';
import {
  button,
  paragraph,
  signature,
  type EmailBlock,
  type EmailContent,
} from '../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';

interface OfferedRide {
  pickup: { name: string; at: string };
  fromName: string;
  driverName: string;
  fareCents: number;
}

export interface Lost {
  because: 'canceled' | 'missed' | 'brokenOff';
  driverName: string;
  timeZone: string;
  offers: readonly OfferedRide[];
  /** The address of the request's page. */
  link: string;
}

/** The email to a passenger whose driver let them down: what happened, and the rides that still fit. */
export function rescueEmail(language: Language, lost: Lost): EmailContent {
  const { because, driverName, offers, link } = lost;
  const t = translate(language);
  const what = t(`rescue.what.${because}`, { driverName });
  return {
    language,
    subject: subjectOf(language, lost),
    preview: what,
    blocks: [
      paragraph(what),
      paragraph(offers.length > 0 ? t('rescue.others', { count: offers.length }) : t('rescue.none')),
      ...offers.map((offer) => cardOf(language, offer, lost.timeZone)),
      button(offers.length > 0 ? t('rescue.ask', { count: offers.length }) : t('rescue.seeRequest'), link),
      signature,
    ],
  };
}

function subjectOf(language: Language, { because, driverName, offers }: Lost): string {
  const t = translate(language);
  const facts = { driverName, count: offers.length };
  if (offers.length === 0)
    return t(`rescue.subject.${because === 'brokenOff' ? 'brokenOffNone' : 'lostNone'}`, facts);
  return because === 'brokenOff' ? t('rescue.subject.brokenOff', facts) : t('rescue.subject.lost', facts);
}

function cardOf(language: Language, offer: OfferedRide, timeZone: string): EmailBlock {
  const { pickup, fromName, driverName, fareCents } = offer;
  const t = translate(language);
  const when = dateAndTime(pickup.at, timeZone, { language, zone: null });
  const fare = fareCents === 0 ? t('free') : price(fareCents, language);
  return {
    kind: 'rideCard',
    title: when,
    price: fare,
    lines: [t('rescue.pickup', { place: pickup.name || fromName }), driverName],
  };
}
