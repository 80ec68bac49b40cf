import { expect, test } from 'vitest';
import { paragraph, secretButton } from './email-blocks.ts';
import { aboutEmail, fromQueue, type Email } from './email.ts';
import { aboutSms } from './sms.ts';

const to = 'mia@mail.example';

test('others see a subject without what is marked as secret, and nothing else is hidden', () => {
  const link = 'https://sameway.example/appeal?code=abc';
  const email: Email = {
    to,
    language: 'en',
    subject: `0417 is your code for ride 2024 (${link})`,
    blocks: [
      paragraph('2024'),
      { kind: 'code', text: 'Code:', code: '0417', secret: true },
      secretButton('Appeal', link),
    ],
  };
  expect(aboutEmail(email)).toBe('•••• is your code for ride 2024 (••••)');
  expect(aboutSms({ text: `Code 0417: ${link}, by 2024`, secrets: ['0417', link] })).toBe(
    'Code ••••: ••••, by 2024',
  );
});

test('what an earlier release queued is sent as it was written, and shown to nobody else', () => {
  const queued = {
    to,
    subject: '0417 is your code',
    text: 'Hello,\n\nYour code is: 0417\n\nSameway\n',
    receipt: 'r',
  };
  expect(fromQueue(queued)).toEqual({
    to,
    language: 'en',
    subject: '0417 is your code',
    receipt: 'r',
    blocks: ['Hello,', 'Your code is: 0417', 'Sameway'].map(paragraph),
  });
  expect(fromQueue({ ...queued, text: '您好！\n\n顺路 Sameway\n' }).language).toBe('zh');
  expect(aboutEmail(queued)).toBe('••••');
  expect(aboutSms({ text: 'Your code is 0417.' })).toBe('••••');
});
