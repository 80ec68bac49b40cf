import { expect, test } from 'vitest';
import { subjectForOthers } from '../../../platform/messages/email-blocks.ts';
import { emailText } from '../../../platform/messages/email-html.ts';
import { aboutSms } from '../../../platform/messages/sms.ts';
import { oauthJoinedEmail, resetEmail, signupEmail, phoneCodeSms, resetSms } from './emails.ts';

const home = 'https://sameway.example';

test.each([
  [
    'en',
    'Welcome!\n\nYour sign-up code: 012345\n\nEnter it in the app within 15 minutes. Don’t share it.\n\nDidn’t sign up? You can ignore this email.\n\nSameway\n',
  ],
  [
    'zh',
    '您好！\n\n您的注册验证码是：012345\n\n请在 15 分钟内回到顺路输入，请勿告诉他人。\n\n如非本人操作，请忽略这封邮件。\n\n顺路 Sameway\n',
  ],
] as const)('the email that finishes a sign-up, in %s', (language, text) => {
  expect(emailText(signupEmail(language, '012345'), home)).toBe(text);
});

test.each(['en', 'zh'] as const)('a code in %s is for its reader alone', (language) => {
  for (const email of [signupEmail(language, '012345'), resetEmail(language, '012345')]) {
    expect(email.subject).toContain('012345');
    expect(email.preview).not.toContain('012345');
    expect(subjectForOthers(email)).not.toContain('012345');
  }
  for (const sms of [phoneCodeSms(language, '012345'), resetSms(language, '012345')]) {
    expect(sms.text).toContain('012345');
    expect(aboutSms(sms)).not.toContain('012345');
  }
});

test('a provider’s name is text, whatever it looks like', () => {
  expect(oauthJoinedEmail('en', '{{code}} $t(hello)').subject).toBe(
    'You can now sign in to Sameway with {{code}} $t(hello)',
  );
});
