import { dateAndTime } from '#contract/formats/times.ts';
import { button, paragraph, signature, type EmailContent } from '../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';

/** The email to the owner of recurring rides or requests whose order could not be published on some days. */
export function refusedEmail(
  language: Language,
  { days, timeZone, link }: { days: readonly Date[]; timeZone: string; link: string },
): EmailContent {
  const t = translate(language);
  return {
    language,
    subject: t('recurringRefused.subject'),
    blocks: [
      paragraph(t('recurringRefused.days')),
      paragraph(
        days.map((day) => dateAndTime(day.toISOString(), timeZone, { language, zone: null })).join('\n'),
      ),
      paragraph(t('recurringRefused.why')),
      button(t('recurringRefused.button'), link),
      signature,
    ],
  };
}
