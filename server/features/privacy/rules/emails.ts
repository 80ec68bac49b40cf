import { longDate } from '#contract/formats/times.ts';
import { deletionDays } from '#contract/privacy/endpoints.ts';
import { greetingEmail, paragraph, type EmailContent } from '../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';

/** The reason that others read when a ride ends because its owner leaves Sameway; it names no person. */
export const leavingReason = 'They are deleting their account. · 对方正在注销账号。';

/** The day of deletion, in UTC, because the reader's time zone is unknown. */
const dayOf = (language: Language, at: Date): string => longDate(at.toISOString(), 'UTC', language);

/** Tells a person when their account will be deleted, and how to keep it. */
export function deletionAskedEmail(language: Language, dueAt: Date): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('deletionAsked.subject'), [
    t('deletionAsked.text', { count: deletionDays, day: dayOf(language, dueAt) }),
    paragraph(t('deletionAsked.undo')),
  ]);
}

/** Tells a person that their account stays. */
export function deletionUndoneEmail(language: Language): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('deletionUndone.subject'), [t('deletionUndone.text')]);
}

/** The last email to a person, after the deletion of the account. */
export function deletedEmail(language: Language): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('deleted.subject'), [t('deleted.text')]);
}

/** Tells a person that the archive of their data can be downloaded, and until when. */
export function exportReadyEmail(language: Language, until: Date): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('exportReady.subject'), [
    t('exportReady.text', { day: dayOf(language, until) }),
    paragraph(t('exportReady.notYou')),
  ]);
}
