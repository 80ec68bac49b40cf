import { inOneLine } from '../../../platform/messages/email-blocks.ts';
import type { Sms } from '../../../platform/messages/sms.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';
import { emergencyFacts, type Emergency } from './emails.ts';

/** The emergency's email as one SMS. */
export function emergencySms(language: Language, emergency: Emergency): Omit<Sms, 'to'> {
  const facts = emergencyFacts(language, emergency);
  const lines = facts.map((fact) => (fact.kind === 'link' ? inOneLine(fact.text, fact.href) : fact.text));
  return {
    text: [translate(language)('emergency.subject', { name: emergency.name }), ...lines].join(' '),
    secrets: facts.flatMap((fact) => (fact.kind === 'link' ? fact.href : [])),
  };
}
