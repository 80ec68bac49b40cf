import { expect, test } from 'vitest';
import { button, paragraph, signature, type EmailBlock } from './email-blocks.ts';
import { emailText } from './email-html.ts';

const home = 'https://sameway.example';
const footer = { stop: 'Stop it', stopPage: `${home}/stop`, settingsPage: `${home}/settings` };
const blocks: EmailBlock[] = [
  paragraph('One.\nTwo.'),
  { kind: 'code', text: 'Your code:', code: '123456', secret: true },
  { kind: 'rideCard', title: 'Tue, 07:15', route: { from: 'A', to: 'B' }, lines: ['Mia · $5.50'] },
  { kind: 'rideCard', title: 'Wed, 07:15', lines: ['C → D'] },
  button('See it', `${home}/x`),
  {
    kind: 'rideCard',
    title: 'Thu, 07:15',
    price: '$6',
    route: { from: 'E', to: 'F' },
    lines: ['Mia'],
  },
  { kind: 'link', text: 'Follow:', href: `${home}/t` },
  signature,
  { kind: 'quote', text: 'I wrote\nthis.' },
];

test('each block is a paragraph', () => {
  expect(emailText({ language: 'en', subject: 'S', blocks }, home, footer)).toBe(
    [
      'One.\nTwo.',
      'Your code: 123456',
      '• Tue, 07:15\n  A → B\n  Mia · $5.50',
      '• Wed, 07:15\n  C → D',
      'See it\nhttps://sameway.example/x',
      '• Thu, 07:15 · $6\n  E → F\n  Mia',
      'Follow: https://sameway.example/t',
      'Sameway',
      '> I wrote\n> this.',
      'Notification settings: https://sameway.example/settings\nStop it: https://sameway.example/stop\n',
    ].join('\n\n'),
  );
});

test('in Chinese no space follows a colon', () => {
  const chinese: EmailBlock[] = [
    { kind: 'code', text: '您的注册验证码是：', code: '123456', secret: true },
    { kind: 'link', text: '地点：Ocean St', href: `${home}/m` },
    signature,
  ];
  expect(emailText({ language: 'zh', subject: 'S', blocks: chinese }, home, footer)).toBe(
    `您的注册验证码是：123456\n\n地点：Ocean St ${home}/m\n\n顺路 Sameway\n\n通知设置：${home}/settings\nStop it：${home}/stop\n`,
  );
});
