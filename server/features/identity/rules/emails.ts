import {
  button,
  greetingEmail,
  paragraph,
  signature,
  type EmailBlock,
  type EmailContent,
} from '../../../platform/messages/email-blocks.ts';
import type { Sms } from '../../../platform/messages/sms.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';
import type { KeysLeft } from '../ports.ts';
import { codeMinutes } from './code.ts';

const codeBlock = (text: string, code: string): EmailBlock => ({ kind: 'code', text, code, secret: true });

/** The email that finishes a sign-up. */
export function signupEmail(language: Language, code: string): EmailContent {
  const t = translate(language);
  const enterCode = t('signup.enterCode', { count: codeMinutes });
  return {
    language,
    subject: t('signup.subject', { code }),
    preview: enterCode,
    blocks: [
      paragraph(t('signup.hello')),
      codeBlock(t('signup.code'), code),
      paragraph(enterCode),
      paragraph(t('signup.ignore')),
      signature,
    ],
  };
}

/** The email that lets a person set a new password. */
export function resetEmail(language: Language, code: string): EmailContent {
  const t = translate(language);
  const enterCode = t('reset.enterCode', { count: codeMinutes });
  return {
    language,
    subject: t('reset.subject', { code }),
    preview: enterCode,
    blocks: [
      paragraph(t('hello')),
      codeBlock(t('reset.code'), code),
      paragraph(enterCode),
      paragraph(t('reset.ignore')),
      signature,
    ],
  };
}

/** Tells the owner of an account that its password was changed, and which API keys are valid as before. */
export function passwordChangedEmail(
  language: Language,
  signedOut: 'all' | 'others',
  keys: KeysLeft | null,
): EmailContent {
  const t = translate(language);
  const about: EmailBlock[] =
    keys === null
      ? []
      : [
          paragraph(t('passwordChanged.keys', { count: keys.names.length, names: keys.names.join(', ') })),
          { kind: 'link', text: t('passwordChanged.endKeys'), href: keys.address, secret: true },
        ];
  return greetingEmail(language, t('passwordChanged.subject'), [
    t(`passwordChanged.${signedOut}`),
    ...about,
    paragraph(t('passwordChanged.notYou')),
  ]);
}

/** A change of a person's second factor, for an email. */
export type FactorChange =
  | { kind: 'totpAdded' | 'totpRemoved' | 'allRemoved' }
  | { kind: 'passkeyAdded' | 'passkeyRemoved'; name: string };

/** The email about a changed second factor. */
export function factorEmail(language: Language, change: FactorChange): EmailContent {
  const t = translate(language);
  const facts = 'name' in change ? { name: change.name } : {};
  return greetingEmail(language, t(`factor.${change.kind}Subject`), [
    t(`factor.${change.kind}`, facts),
    paragraph(t('factor.notYou')),
  ]);
}

/** Tells a person that someone who got past their password enters wrong codes. */
export function wrongCodesEmail(language: Language): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('wrongCodes.subject'), [
    t('wrongCodes.text'),
    paragraph(t('wrongCodes.you')),
    paragraph(t('wrongCodes.notYou')),
  ]);
}

/** The email about new recovery codes. */
export function recoveryRenewedEmail(language: Language): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('factor.renewedSubject'), [
    t('factor.renewed'),
    paragraph(t('factor.notYou')),
  ]);
}

/** The email about a used recovery code, with the number of those left. */
export function recoveryUsedEmail(language: Language, left: number): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('factor.usedSubject'), [
    t('factor.used', { count: left }),
    paragraph(t('factor.notYou')),
  ]);
}

/** The email with the code that confirms a person's identity. */
export function proofCodeEmail(language: Language, code: string): EmailContent {
  const t = translate(language);
  const enterCode = t('proof.enterCode', { count: codeMinutes });
  return {
    language,
    subject: t('proof.subject', { code }),
    preview: enterCode,
    blocks: [
      paragraph(t('hello')),
      codeBlock(t('proof.code'), code),
      paragraph(enterCode),
      paragraph(t('proof.ignore')),
      signature,
    ],
  };
}

/** The email about a sign-in from a new device, which says how to end the session. */
export function newDeviceEmail(
  language: Language,
  { device, place, settingsAt }: { device: string; place: string; settingsAt: string },
): EmailContent {
  const t = translate(language);
  const name = device || t('newDevice.unknown');
  return greetingEmail(language, t('newDevice.subject'), [
    place === '' ? t('newDevice.text', { device: name }) : t('newDevice.textAt', { device: name, place }),
    paragraph(t('newDevice.you')),
    paragraph(t('newDevice.notYou')),
    button(t('newDevice.see'), settingsAt),
  ]);
}

/** The email about a session that was ended because another device used it. */
export function sessionCopiedEmail(language: Language, device: string): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('sessionCopied.subject'), [
    t('sessionCopied.text', { device: device || t('newDevice.unknown') }),
    paragraph(t('sessionCopied.next')),
  ]);
}

/** Tells the owner of an account that an external provider can now sign in to it. */
export function oauthJoinedEmail(language: Language, provider: string): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('oauthJoined.subject', { provider }), [
    t('oauthJoined.text', { provider }),
    paragraph(t('oauthJoined.notYou')),
  ]);
}

/** The SMS with the code that verifies a phone number. */
export const phoneCodeSms = (language: Language, code: string): Omit<Sms, 'to'> => ({
  text: translate(language)('sms:phoneCode', { code, count: codeMinutes }),
  secrets: [code],
});

/** The SMS with the code that resets a password. */
export const resetSms = (language: Language, code: string): Omit<Sms, 'to'> => ({
  text: translate(language)('sms:resetCode', { code, minutes: codeMinutes }),
  secrets: [code],
});
