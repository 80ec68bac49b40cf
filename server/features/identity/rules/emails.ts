import type { Email } from '../../../platform/messages/email.ts';
import { codeMinutes } from './code.ts';

export type Language = 'en' | 'zh';
type Words = Omit<Email, 'to'>;

const signature: Record<Language, string> = { en: 'Sameway', zh: '顺路 Sameway' };

const letter = (language: Language, subject: string, ...paragraphs: string[]): Words => ({
  subject,
  text: `${[...paragraphs, signature[language]].join('\n\n')}\n`,
});

/** The email that finishes a sign-up. */
export const signupLetter = (language: Language, code: string): Words =>
  language === 'zh'
    ? letter(
        'zh',
        `${code} 是您的顺路验证码`,
        '您好！',
        `您的注册验证码是：${code}`,
        `请在 ${codeMinutes} 分钟内于应用中输入。请不要把它告诉任何人。`,
        '如果不是您本人在注册，请忽略这封邮件。',
      )
    : letter(
        'en',
        `${code} is your Sameway code`,
        'Welcome!',
        `Your code to finish signing up is: ${code}`,
        `Please enter it in the app within ${codeMinutes} minutes. Do not give it to anyone.`,
        'If you did not sign up just now, please ignore this letter.',
      );

/** The email that lets a person set a new password. */
export const resetLetter = (language: Language, code: string): Words =>
  language === 'zh'
    ? letter(
        'zh',
        `${code} 是您的顺路密码重置码`,
        '您好！',
        `您的密码重置码是：${code}`,
        `请在 ${codeMinutes} 分钟内于应用中输入，然后设置新密码。请不要把它告诉任何人。`,
        '如果不是您本人要求重置密码，请忽略这封邮件，您的密码不会改变。',
      )
    : letter(
        'en',
        `${code} is your Sameway password reset code`,
        'Hello,',
        `Your code to set a new password is: ${code}`,
        `Please enter it in the app within ${codeMinutes} minutes. Do not give it to anyone.`,
        'If you did not ask for it, please ignore this letter. Your password stays as it is.',
      );

/** Tells the owner of an account that its password is a new one. */
export const passwordChangedLetter = (language: Language, signedOut: 'all' | 'others'): Words =>
  language === 'zh'
    ? letter(
        'zh',
        '您的顺路密码已更改',
        '您好！',
        signedOut === 'all'
          ? '您的密码刚刚已更改，所有设备均已退出登录。'
          : '您的密码刚刚已更改，其他设备均已退出登录。',
        '如果不是您本人操作，请立即在登录页面用“忘记密码”重新设置。',
      )
    : letter(
        'en',
        'Your Sameway password was changed',
        'Hello,',
        signedOut === 'all'
          ? 'Your password was changed just now, and every device was signed out.'
          : 'Your password was changed just now, and every other device was signed out.',
        'If this was not you, please set a new one at once with "Forgot password" on the sign-in page.',
      );

/** The SMS that proves that a phone is in somebody's hands. */
export const phoneCodeText = (language: Language, code: string): string =>
  language === 'zh'
    ? `【顺路】您的手机验证码是 ${code}，${codeMinutes} 分钟内有效。请不要把它告诉任何人。`
    : `${code} is your Sameway code. It works for ${codeMinutes} minutes. Do not give it to anyone.`;

/** The SMS with the code to set a new password. */
export const resetText = (language: Language, code: string): string =>
  language === 'zh'
    ? `【顺路】您的密码重置码是 ${code}，${codeMinutes} 分钟内有效。如果不是您本人操作，请忽略。`
    : `${code} is your Sameway password reset code. If you did not ask for it, ignore this message.`;

/** Tells the owner of an account that it can now be signed in to through an outside provider. */
export const outsideJoinedEmail = (language: Language, provider: string): Words =>
  language === 'zh'
    ? letter(
        'zh',
        `您的顺路账号已关联 ${provider}`,
        '您好！',
        `您的账号刚刚关联了 ${provider}，今后可以用它登录。`,
        '如果不是您本人操作，请立即在“设置”中结束其他登录，并写信告诉我们。',
      )
    : letter(
        'en',
        `You can now sign in to Sameway with ${provider}`,
        'Hello,',
        `${provider} was connected to your account just now, and signs you in from here on.`,
        'If this was not you, please end the other sessions in Settings at once and write to us.',
      );
