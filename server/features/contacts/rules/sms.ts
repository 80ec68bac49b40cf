import type { Sms } from '../../../platform/messages/sms.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';

/** The invitation of `invitationEmail`, as short as an SMS must be. */
export const invitationSms = (language: Language, name: string, link: string): Omit<Sms, 'to'> => ({
  text: translate(language)('sms:invitation', { name, link }),
  secrets: [link],
});
