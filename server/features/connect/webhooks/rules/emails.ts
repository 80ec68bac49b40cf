import {
  button,
  greetingEmail,
  paragraph,
  type EmailContent,
} from '../../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../../platform/messages/translate.ts';

/** The email to the team about a webhook that was turned off. */
export function webhookStoppedEmail(
  language: Language,
  { name, url, openAt }: { name: string; url: string; openAt: string },
): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('webhookStopped.subject', { name }), [
    t('webhookStopped.text', { name, url }),
    paragraph(t('webhookStopped.next')),
    button(t('webhookStopped.button'), openAt),
  ]);
}
