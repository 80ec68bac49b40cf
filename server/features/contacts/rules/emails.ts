import {
  button,
  greetingEmail,
  paragraph,
  type EmailContent,
} from '../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';

/** Invites a person who may never have heard of the product. */
export function invitationEmail(language: Language, name: string, link: string): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('invitation.subject', { name }), [
    t('invitation.text', { name }),
    paragraph(t('invitation.signUp')),
    button(t('invitation.button'), link),
    paragraph(t('invitation.ignore')),
  ]);
}
