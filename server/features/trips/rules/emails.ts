import { price } from '#contract/formats/amounts.ts';
import { dateAndTime } from '#contract/formats/times.ts';
import type { Candidate } from '#contract/rides/views.ts';
import {
  button,
  paragraph,
  signature,
  type EmailBlock,
  type EmailContent,
} from '../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';

export interface Lost {
  because: 'cancelled' | 'missed' | 'brokenOff';
  driverName: string;
  timeZone: string;
  candidates: readonly Candidate[];
  /** The address of the request's page. */
  link: string;
}

/** The email to a passenger whose driver let them down: what happened, and the rides that still fit. */
export function rescueEmail(language: Language, lost: Lost): EmailContent {
  const { because, driverName, candidates, link } = lost;
  const t = translate(language);
  const what = t(`rescue.what.${because}`, { driverName });
  return {
    language,
    subject: subjectOf(language, lost),
    preview: what,
    blocks: [
      paragraph(what),
      paragraph(t(candidates.length > 0 ? 'rescue.others' : 'rescue.none')),
      ...candidates.map((candidate) => cardOf(language, candidate, lost.timeZone)),
      paragraph(t('rescue.open')),
      button(link),
      signature,
    ],
  };
}

function subjectOf(language: Language, { because, driverName, candidates }: Lost): string {
  const t = translate(language);
  const facts = { driverName, count: candidates.length };
  if (candidates.length === 0)
    return t(`rescue.subject.${because === 'brokenOff' ? 'brokenOffNone' : 'lostNone'}`, facts);
  return because === 'brokenOff' ? t('rescue.subject.brokenOff', facts) : t('rescue.subject.lost', facts);
}

function cardOf(language: Language, { pickup, ride, fareCents }: Candidate, timeZone: string): EmailBlock {
  const t = translate(language);
  const when = dateAndTime(pickup.at, timeZone, { language, zone: null });
  const fare = fareCents === 0 ? t('free') : price(fareCents, language);
  return {
    kind: 'rideCard',
    title: t('rescue.pickup', { when, place: pickup.name || ride.from.name }),
    lines: [`${ride.driver.name} · ${fare}`],
  };
}
