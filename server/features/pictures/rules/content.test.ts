import { expect, test } from 'vitest';
import { contentOf, hidesAnotherFile } from './content.ts';

const jpeg = Buffer.from('\xff\xd8\xff\xe0\x00\x10JFIF', 'latin1');
const emptyZip = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);

test.each([
  ['jpeg', jpeg],
  ['png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['webp', Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 ', 'latin1')],
  ['heic', Buffer.from('\x00\x00\x00\x18ftypheic', 'latin1')],
  ['other', Buffer.from('<!doctype html><p>photo.jpg')],
  ['other', Buffer.from('GIF89a')],
  ['other', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['other', Buffer.alloc(0)],
])('%s is known by its first bytes', (content, bytes) => {
  expect(contentOf(bytes)).toBe(content);
});

test.each([
  ['a page after the picture', Buffer.concat([jpeg, Buffer.from('<HTML><body>')])],
  ['a script in a comment', Buffer.concat([jpeg, Buffer.from('/*<ScRiPt>alert(1)')])],
  ['a program', Buffer.concat([jpeg, Buffer.from('<?php system($_GET[0]);')])],
  ['a document', Buffer.concat([jpeg, Buffer.from('\n%PDF-1.7')])],
  ['an archive at the end', Buffer.concat([jpeg, emptyZip])],
])('%s is found', (_, bytes) => {
  expect(hidesAnotherFile(bytes)).toBe(true);
});

test.each([
  ['a plain picture', jpeg],
  ['metadata of a camera', Buffer.concat([jpeg, Buffer.from('<?xpacket begin=""?><x:xmpmeta>')])],
  ['four bytes that look like an archive by chance', Buffer.concat([jpeg, emptyZip, Buffer.alloc(7)])],
  ['a document’s mark far inside', Buffer.concat([jpeg, Buffer.alloc(2000), Buffer.from('%PDF-')])],
])('%s hides nothing', (_, bytes) => {
  expect(hidesAnotherFile(bytes)).toBe(false);
});
