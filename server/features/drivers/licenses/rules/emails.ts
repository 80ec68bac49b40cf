import {
  button,
  greetingEmail,
  paragraph,
  type EmailContent,
} from '../../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../../platform/messages/translate.ts';

/** Tells a driver that their photos are accepted. */
export function acceptedEmail(language: Language, url: string): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('licenseAccepted.subject'), [
    t('licenseAccepted.text'),
    button(t('licenseAccepted.button'), url),
  ]);
}

/** Tells a driver why their photos were denied and where to send new ones. */
export function rejectedEmail(language: Language, reason: string, url: string): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('licenseRejected.subject'), [
    t('licenseRejected.reason'),
    paragraph(reason),
    paragraph(t('licenseRejected.again')),
    button(t('licenseRejected.button'), url),
  ]);
}
