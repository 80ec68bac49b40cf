import {
  paragraph,
  secretButton,
  signature,
  type EmailBlock,
  type EmailContent,
  inOneLine,
} from '../../../platform/messages/email-blocks.ts';
import type { Sms } from '../../../platform/messages/sms.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';

/** An email to a contact with whom a trip is shared. */
export function shareEmail(language: Language, { name, link }: { name: string; link: string }): EmailContent {
  const t = translate(language);
  const text = t('share.text', { name });
  return {
    language,
    subject: t('share.subject', { name }),
    preview: text,
    blocks: [paragraph(text), secretButton(t('share.button'), link), signature],
  };
}

export interface Emergency {
  name: string;
  phone: string;
  /** The street; empty where the phone had no position. */
  place: string;
  at: { lon: number; lat: number } | null;
  plate: string;
  car: string;
  driverName: string;
  link: string;
}

/**
 * The email to a trusted contact in an emergency: only facts, with links as text that can be read and
 * forwarded.
 */
export function emergencyEmail(language: Language, emergency: Emergency): EmailContent {
  const t = translate(language);
  const subject = t('emergency.subject', { name: emergency.name });
  return {
    language,
    subject,
    blocks: [paragraph(subject), ...emergencyFacts(language, emergency), paragraph(t('emergency.what'))],
  };
}

type Fact = Extract<EmailBlock, { kind: 'paragraph' | 'link' }>;

/** Where the person is, in which car, with whom, and how to reach and follow them, as far as known. */
function emergencyFacts(
  language: Language,
  { at, place, plate, car, driverName, phone, link }: Emergency,
): Fact[] {
  const t = translate(language);
  const fact = (text: string): Fact => ({ kind: 'paragraph', text });
  const carWords = [plate, car].filter(Boolean).join(', ');
  return [
    ...(at === null
      ? []
      : [mapLink(place === '' ? t('emergency.map') : t('emergency.place', { place }), at)]),
    ...(plate === '' ? [] : [fact(t('emergency.car', { car: carWords }))]),
    fact(t('emergency.driver', { name: driverName })),
    ...(phone === '' ? [] : [fact(t('emergency.call', { phone }))]),
    { kind: 'link', text: t('emergency.follow'), href: link, secret: true },
  ];
}

const mapLink = (text: string, { lon, lat }: { lon: number; lat: number }): Fact => ({
  kind: 'link',
  text,
  href: `https://www.google.com/maps?q=${lat},${lon}`,
  secret: true,
});

/** The emergency's email as one SMS. */
export function emergencySms(language: Language, emergency: Emergency): Omit<Sms, 'to'> {
  const facts = emergencyFacts(language, emergency);
  const lines = facts.map((fact) => (fact.kind === 'link' ? inOneLine(fact.text, fact.href) : fact.text));
  return {
    text: [translate(language)('emergency.subject', { name: emergency.name }), ...lines].join(' '),
    secrets: facts.flatMap((fact) => (fact.kind === 'link' ? fact.href : [])),
  };
}
