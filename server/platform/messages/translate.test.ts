import { expect, test } from 'vitest';
import { words } from '#locales/server.ts';
import { translate } from './translate.ts';

test('each language has its own text, and its own plurals', () => {
  expect(translate('en')('hello')).toBe('Hello,');
  expect(translate('zh')('hello')).toBe('您好！');
  expect(translate('en')('sms:phoneCode', { code: '1', count: 1 })).toContain('for 1 minute.');
  expect(translate('en')('sms:phoneCode', { code: '1', count: 10 })).toContain('for 10 minutes.');
  expect(translate('zh')('sms:phoneCode', { code: '1', count: 1 })).toContain('1 分钟内');
});

test.each(['{{code}}', '$t(emails:hello)', '$& $1 $$', '<b>&amp;"', '{{- hello}}'])(
  '%s is text, wherever it was typed',
  (provider) => {
    for (const language of ['en', 'zh'] as const) {
      const subject = translate(language)('oauthJoined.subject', { provider });
      expect(subject).toBe(
        words[language].emails.oauthJoined.subject.replace('{{provider}}', () => provider),
      );
    }
  },
);
