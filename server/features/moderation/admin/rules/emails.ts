import type { StaffRole } from '#contract/admin/roles.ts';
import {
  button,
  greetingEmail,
  paragraph,
  secretButton,
  signature,
  type EmailContent,
} from '../../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../../platform/messages/translate.ts';

/** Tells a person that they cannot use Sameway for now, and why. */
export function suspendedEmail(
  language: Language,
  {
    reason,
    appealAt,
  }: { reason: string; /** Where to say that it is wrong, without signing in. */ appealAt: string },
): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('suspended.subject'), [
    t('suspended.reason'),
    paragraph(reason),
    paragraph(t('suspended.appeal')),
    secretButton(t('suspended.button'), appealAt),
  ]);
}

/** Tells a person that their suspension has ended. */
export function unsuspendedEmail(language: Language): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('unsuspended.subject'), [t('unsuspended.text')]);
}

/** The email about a new role on the team, or about losing it (null). */
export function roleEmail(language: Language, role: StaffRole | null): EmailContent {
  const t = translate(language);
  return role === null
    ? greetingEmail(language, t('role.takenSubject'), [t('role.taken')])
    : greetingEmail(language, t('role.givenSubject'), [t('role.given', { role: t(`role.names.${role}`) })]);
}

/** Where a person reads what they wrote to the team, and its answers. */
export const ticketAt = (publicUrl: string, id: string): string =>
  `${publicUrl}/pages/feedback/feedback?ticket=${id}`;

/** The team's answer to what a person wrote, with that below it, and where to answer back. */
export function answerEmail(
  language: Language,
  { subject, message, answer, link }: { subject: string; message: string; answer: string; link: string },
): EmailContent {
  const t = translate(language);
  return {
    language,
    subject: t('answer.subject', { subject }),
    preview: answer,
    blocks: [
      paragraph(t('hello')),
      paragraph(answer),
      paragraph(t('answer.back')),
      button(t('answer.button'), link),
      signature,
      ...(message === '' ? [] : [paragraph(t('answer.youWrote')), { kind: 'quote', text: message } as const]),
    ],
  };
}
