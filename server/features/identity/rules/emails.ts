import {
  greetingEmail,
  paragraph,
  signature,
  type EmailBlock,
  type EmailContent,
} from '../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';
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

/** Tells the owner of an account that its password was changed. */
export function passwordChangedEmail(language: Language, signedOut: 'all' | 'others'): EmailContent {
  const t = translate(language);
  return greetingEmail(language, t('passwordChanged.subject'), [
    t(`passwordChanged.${signedOut}`),
    paragraph(t('passwordChanged.notYou')),
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
