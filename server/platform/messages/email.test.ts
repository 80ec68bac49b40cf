import { expect, test } from 'vitest';
import { paragraph, secretButton, subjectForOthers, type EmailContent } from './email-blocks.ts';
import { aboutSms } from './sms.ts';

test('others see a subject without what is marked as secret, and nothing else is hidden', () => {
  const link = 'https://sameway.example/appeal?code=abc';
  const email: EmailContent = {
    language: 'en',
    subject: `0417 is your code for ride 2024 (${link})`,
    blocks: [
      paragraph('2024'),
      { kind: 'code', text: 'Code:', code: '0417', secret: true },
      secretButton('Appeal', link),
    ],
  };
  expect(subjectForOthers(email)).toBe('•••• is your code for ride 2024 (••••)');
  expect(aboutSms({ text: `Code 0417: ${link}, by 2024`, secrets: ['0417', link] })).toBe(
    'Code ••••: ••••, by 2024',
  );
});
