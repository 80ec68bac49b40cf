import { greetingEmail, paragraph, type EmailContent } from '../../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../../platform/messages/translate.ts';

/** The email about a new API key, to its owner. */
export function keyMadeEmail(
  language: Language,
  { name, shown, scopes }: { name: string; shown: string; scopes: readonly string[] },
): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('keyMade.subject'), [
    t('keyMade.text', { name, shown }),
    paragraph(t('keyMade.scopes', { scopes: scopes.join(', ') })),
    paragraph(t('keyMade.notYou')),
  ]);
}
