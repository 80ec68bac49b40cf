import { expect, test } from 'vitest';
import { readCsv } from './csv.ts';
import { groupsOf, hashNumbers, numbersOf } from './numbers.ts';
import { readBook } from './read-file.ts';
import { readVcards } from './vcard.ts';

const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n');

test.each([
  [
    '3.0',
    card('VERSION:3.0', 'FN:Mia Chen', 'TEL;TYPE=CELL:+1 415 555 0132'),
    [{ name: 'Mia Chen', numbers: ['+1 415 555 0132'] }],
  ],
  [
    '4.0, a URI',
    card('VERSION:4.0', 'FN:Leo', 'TEL;VALUE=uri;TYPE="voice,cell":tel:+1-415-555-0133;ext=7'),
    [{ name: 'Leo', numbers: ['+1-415-555-0133'] }],
  ],
  [
    'a group',
    card('item1.TEL:4155550132', 'item1.X-ABLabel:_$!<Mobile>!$_', 'N:Chen;Mia;;;'),
    [{ name: 'Mia Chen', numbers: ['4155550132'] }],
  ],
  [
    'folded lines',
    card('FN:Maximilian von der ', ' Lan\\, gen', 'TEL;TYPE=C', ' ELL:415555', '\t0132'),
    [{ name: 'Maximilian von der Lan, gen', numbers: ['4155550132'] }],
  ],
  [
    'UTF-8 and emoji',
    card('FN:王小明 🚗', 'TEL:13800138000'),
    [{ name: '王小明 🚗', numbers: ['13800138000'] }],
  ],
  [
    'a Chinese name by its parts',
    card('N:王;小明;;;', 'TEL:13800138000'),
    [{ name: '王小明', numbers: ['13800138000'] }],
  ],
  [
    'quoted-printable',
    card(
      'VERSION:2.1',
      'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E7=8E=8B=E5=B0=8F=',
      '=E6=98=8E',
      'TEL;CELL:13800138000',
    ),
    [{ name: '王小明', numbers: ['13800138000'] }],
  ],
  [
    'quoted-printable in Latin 1',
    card('N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg', 'TEL:030 1234567'),
    [{ name: 'Jörg Müller', numbers: ['030 1234567'] }],
  ],
  ['escapes', card('FN:A\\;B\\nC\\\\D', 'TEL:4155550132'), [{ name: 'A;B C\\D', numbers: ['4155550132'] }]],
  ['no number', card('FN:Nobody'), []],
  ['a card that never ends', 'BEGIN:VCARD\nFN:Open\nTEL:4155550132\n', []],
  [
    'turned and hidden letters',
    card('FN:\u202Egnp\u200B.exe', 'TEL:4155550132'),
    [{ name: 'gnp .exe', numbers: ['4155550132'] }],
  ],
])('vCard: %s', (_, text, entries) => expect(readVcards(text)).toEqual(entries));

test.each([
  [
    'Google',
    'Name,Given Name,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value\r\nMia Chen,Mia,m@x.y,Mobile,"+1 415-555-0132 ::: (415) 555-0133"\r\n',
    [{ name: 'Mia Chen', numbers: ['+1 415-555-0132', '(415) 555-0133'] }],
  ],
  [
    'Outlook',
    'First Name,Last Name,Mobile Phone,Home Phone\n"Ann ""Bo""",Lee,415 555 0132,\n',
    [{ name: 'Ann "Bo" Lee', numbers: ['415 555 0132'] }],
  ],
  [
    'semicolons and a mark',
    '\uFEFFNachname;Telephone;Name\nX;030 123456;Jörg\n',
    [{ name: 'Jörg', numbers: ['030 123456'] }],
  ],
  ['Chinese', '姓名,手机\n王小明,138 0013 8000\n', [{ name: '王小明', numbers: ['138 0013 8000'] }]],
  [
    'no heads',
    'Leo,leo@x.y,4155550132\nAda,,(415) 555-0134\n',
    [
      { name: 'Leo', numbers: ['4155550132'] },
      { name: 'Ada', numbers: ['(415) 555-0134'] },
    ],
  ],
  [
    'a break within quotes',
    'Name,Phone\n"Two\nlines",4155550132\n',
    [{ name: 'Two lines', numbers: ['4155550132'] }],
  ],
  ['a quote that never ends', 'Name,Phone\n"open,4155550132\n', []],
  ['a formula', 'Name,Phone\n=cmd|calc,4155550132\n', [{ name: '=cmd|calc', numbers: ['4155550132'] }]],
  ['no people', 'hello\nworld\n', []],
])('CSV: %s', (_, text, entries) => expect(readCsv(text)).toEqual(entries));

test('a file is told apart by what it says, and read in the letters it was written in', async () => {
  expect(await readBook(new Blob([card('FN:Mia', 'TEL:4155550132')]))).toMatchObject([{ name: 'Mia' }]);
  const codes = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));
  const utf16 = Uint16Array.from(codes('\uFEFFName,Phone\nMia,4155550132'));
  expect(await readBook(new Blob([utf16]))).toMatchObject([{ name: 'Mia' }]);
  const windows = Uint8Array.from(codes('Name,Phone\nJörg,4155550132'));
  expect(await readBook(new Blob([windows]))).toMatchObject([{ name: 'Jörg' }]);
  expect(await readBook(new Blob([new Uint8Array(2000).fill(7)]))).toBe('nothing');
  expect(await readBook(new Blob(['x'.repeat(5_000_001)]))).toBe('tooLarge');
});

// What takes forever runs into the test's own limit.
test('hostile files come to an end', () => {
  readVcards(card(`FN:${' '.repeat(1_000_000)}`, ...Array.from({ length: 20_000 }, () => 'TEL:4155550132')));
  readVcards(`BEGIN:VCARD\n${'A;B='.repeat(500_000)}:x\nEND:VCARD`);
  readVcards(`BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:${'=4'.repeat(200_000)}\nTEL:4155550132\nEND:VCARD`);
  readVcards(Array.from({ length: 60_000 }, () => 'BEGIN:VCARD').join('\n'));
  readCsv(',"'.repeat(1_000_000));
  expect(readCsv(`Name,Phone\n${'x,4155550132\n'.repeat(200_000)}`)).not.toHaveLength(0);
}, 30_000);

test('numbers are told in E.164, each once, and those that cannot exist are left out', () => {
  const entries = [
    { name: 'Mia', numbers: ['(415) 555-0132', '+1 415 555 0132'] },
    { name: 'Ming', numbers: ['+86 138 0013 8000'] },
    { name: 'Nobody', numbers: ['555 555 5555', '911', 'x'] },
  ];
  expect(numbersOf(entries, '+1')).toEqual(
    new Map([
      ['+14155550132', 'Mia'],
      ['+8613800138000', 'Ming'],
    ]),
  );
  expect(numbersOf([{ name: 'Ming', numbers: ['138 0013 8000'] }], '+86')).toEqual(
    new Map([['+8613800138000', 'Ming']]),
  );
});

test('what leaves the browser is what the server computes', async () => {
  const hashed = await hashNumbers('salt', new Map([['+14155550132', 'Mia']]));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('salt+14155550132'));
  const wanted = btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  expect(hashed).toEqual(new Map([[wanted, 'Mia']]));
});

test('the groups of numbers are the first two bytes of their hashes, each once and in order', async () => {
  const numbers = ['+14155550132', '+8613800138000', '+14155550133', '+14155550132'];
  // As `printf %s +14155550132 | sha256sum` and so on begin.
  expect(await groupsOf(numbers)).toEqual([0x8ee4, 0x9e19, 0xec61]);
});
