import { expect, test } from 'vitest';
import { button, paragraph, signature, type EmailBlock, type EmailContent } from './email-blocks.ts';
import { emailHtml, emailText } from './email-html.ts';

const home = 'https://sameway.example';
const email = (blocks: readonly EmailBlock[], of: Partial<EmailContent> = {}): EmailContent => ({
  language: 'en',
  subject: 'Mia wants to join your ride',
  blocks,
  ...of,
});
const linksOf = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
const code: EmailBlock = { kind: 'code', text: 'Your code is:', code: '123456', secret: true };

test('a button leads to a page, a code stands out, the signature is in the head and the foot', () => {
  const html = emailHtml(
    email([
      paragraph('Ride SW-1.\nAt 07:15.'),
      button('See the ride', `${home}/pages/order/detail?id=1&x=2`),
      code,
      signature,
    ]),
    home,
  );
  expect(html).toContain('<html lang="en">');
  expect(html).toContain('Ride SW-1.<br>At 07:15.</p>');
  expect(html).toContain('href="https://sameway.example/pages/order/detail?id=1&amp;x=2"');
  expect(html).toContain('>See the ride</a>');
  expect(html).toMatch(/letter-spacing:6px">123456</);
  expect(html.match(/Sameway<\/p>/g)).toHaveLength(1);
});

test('what people wrote stays text', () => {
  const typed = 'Says "<b>hi</b>" & http://a.example/?"onclick=x\n•  one\n   two';
  const blocks: EmailBlock[] = [
    paragraph(typed),
    { kind: 'quote', text: typed },
    { kind: 'code', text: typed, code: typed, secret: true },
    { kind: 'link', text: typed, href: `${home}/"><script>` },
    { kind: 'rideCard', title: typed, lines: [typed] },
    {
      kind: 'rideCard',
      title: typed,
      price: typed,
      route: { from: typed, to: typed },
      lines: [typed],
    },
    { kind: 'heading', text: typed },
    button(typed, `${home}/"><b>`),
  ];
  const html = emailHtml(email(blocks, { subject: '<script>alert(1)</script>', preview: typed }), home);
  expect(html).not.toMatch(/<script|<b>|"onclick/);
  expect(html).toContain('&lt;b&gt;hi&lt;/b&gt;');
  expect(html).toContain('one<br>');
});

test('digits in what people wrote are no code', () => {
  const html = emailHtml(email([paragraph('Call 831555')]), home);
  expect(html).not.toContain('letter-spacing');
});

test('Chinese emails are drawn as Chinese, with a way to end them', () => {
  const html = emailHtml(
    email([paragraph('明天 07:15 出发。'), button('查看', 'https://s.example/x')], {
      language: 'zh',
      subject: '行程提醒',
    }),
    'https://s.example',
    {
      stop: '不再接收关于同行申请的邮件',
      stopPage: 'https://s.example/stop?code=1',
      settingsPage: 'https://s.example/settings',
    },
  );
  expect(html).toContain('<html lang="zh-CN">');
  expect(html).toContain('顺路 Sameway');
  expect(html).toContain('不再接收关于同行申请的邮件');
  expect(linksOf(html)).toEqual([
    'https://s.example/x',
    'https://s.example/settings',
    'https://s.example/stop?code=1',
  ]);
});

test('what mail programs show beside the subject is in no place where it is read', () => {
  const html = emailHtml(email([paragraph('Hello,')], { preview: 'A & B' }), home);
  expect(html).toMatch(/<div style="display:none[^>]*>A &amp; B<\/div>/);
  expect(emailText(email([paragraph('Hello,')], { preview: 'A & B' }), home)).toBe('Hello,\n');
});

test('a long address stays whole, and may break between any two letters', () => {
  const href = `${home}/pages/safety/watch?code=${'aB3-'.repeat(200)}`;
  const html = emailHtml(email([{ kind: 'link', text: 'Follow the trip:', href, secret: true }]), home);
  expect(html).toContain(`<a href="${href}" style="color:#1E7A35;word-break:break-all">${href}</a>`);
});

test('what people call themselves is never a link: not with its protocol, and not as the bare name of a host', () => {
  const name = 'https://evil.example/win';
  const link = `${home}/intro?inviter=a`;
  const map = 'https://www.google.com/maps?q=36.97,-122.02';
  const content = email(
    [
      paragraph(`${name} and www.evil.example/b, evil.example invite you.`),
      button(name, link),
      paragraph(name),
      { kind: 'link', text: name, href: map },
      { kind: 'rideCard', title: name, lines: [name] },
      { kind: 'quote', text: name },
      signature,
    ],
    { subject: `${name} invites you`, preview: name },
  );
  expect(linksOf(emailHtml(content, home))).toEqual([link, map]);
  const text = emailText(content, home);
  // Programs that turn addresses in text into links find none either.
  for (const written of [text, emailHtml(content, home)])
    expect(written).not.toMatch(/evil\.example|https:\/\/evil/);
  for (const ours of [link, map]) expect(text).toContain(ours);
});
