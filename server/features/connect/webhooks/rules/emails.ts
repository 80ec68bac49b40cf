import {
  button,
  greetingEmail,
  paragraph,
  type EmailContent,
} from '../../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../../platform/messages/translate.ts';

/** Tells the team that a webhook is not tried any more. */
export function webhookStoppedEmail(
  language: Language,
  { name, url, openAt }: { name: string; url: string; openAt: string },
): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('webhookStopped.subject', { name }), [
    t('webhookStopped.text', { name, url }),
    paragraph(t('webhookStopped.next')),
    button(openAt),
  ]);
}
