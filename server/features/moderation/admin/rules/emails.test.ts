import { expect, test } from 'vitest';
import { emailHtml, emailText } from '../../../../platform/messages/email-html.ts';
import { answerEmail, suspendedEmail } from './emails.ts';

const home = 'https://sameway.example';

test('the address of an appeal is marked as secret; a reason is text', () => {
  const appealAt = `${home}/pages/feedback/appeal?code=abc`;
  const email = suspendedEmail('en', { reason: '<a href="https://evil.example">Click</a>', appealAt });
  expect(email.blocks).toContainEqual({ kind: 'button', text: 'Appeal', href: appealAt, secret: true });
  expect([...emailHtml(email, home).matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    appealAt,
  ]);
});

test('an answer stands above what it answers, each as it was typed', () => {
  const words = { subject: '问题', message: 'one\n\ntwo', answer: 'three\n\nfour' };
  const email = answerEmail('zh', { ...words, link: `${home}/a` });
  expect(email.subject).toBe('回复：问题');
  expect(emailText(email, home)).toBe(
    `您好！\n\nthree\n\nfour\n\n如需补充，请在 App 内回复：\n\n在顺路中回复\n${home}/a\n\n顺路 Sameway\n\n您写给我们的：\n\n> one\n> \n> two\n`,
  );
});
