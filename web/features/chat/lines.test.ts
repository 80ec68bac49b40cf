import { describe, expect, test } from 'vitest';
import type { Message } from '#contract/chat/endpoints.ts';
import { linesOf } from './lines.ts';
import { extend, renew } from './stretch.ts';

const message = (seq: number, senderId: string | null, at = '2026-11-20T18:00:00.000Z'): Message => ({
  id: `id-${seq}`,
  roomid: 'room',
  seq,
  clientId: `client-${seq}`,
  senderId,
  kind: senderId === null ? 'system' : 'text',
  text: senderId === null ? '' : `line ${seq}`,
  picture: null,
  place: null,
  system: senderId === null ? { move: 'accept', name: 'Leo' } : null,
  at,
});
const waiting = (clientId: string) => ({
  clientId,
  roomid: 'room',
  userId: 'mia',
  text: 'hello',
  place: null,
  picture: null,
  at: '2026-11-20T18:05:00.000Z',
  waited: false,
  refused: null,
});
const room = { waiting: [], readSeq: 0, ownId: 'mia', timeZone: 'America/Los_Angeles' };

describe('the lines of a room', () => {
  test('a day line stands before the first message of each day at the ride’s place', () => {
    const lines = linesOf({
      ...room,
      readSeq: 9,
      messages: [
        message(1, 'leo', '2026-11-21T07:59:00.000Z'),
        message(2, 'leo', '2026-11-21T08:01:00.000Z'),
      ],
    });
    expect(lines.map(({ kind }) => kind)).toEqual(['day', 'said', 'day', 'said']);
  });

  test('the unread line stands once, before the first unread message of somebody else', () => {
    const lines = linesOf({
      ...room,
      readSeq: 1,
      messages: [
        message(1, 'leo'),
        message(2, 'mia'),
        message(3, null),
        message(4, 'leo'),
        message(5, 'leo'),
      ],
    });
    expect(lines.map(({ kind }) => kind)).toEqual([
      'day',
      'said',
      'said',
      'system',
      'unread',
      'said',
      'said',
    ]);
  });

  test('a run of one person is led by its first message', () => {
    const lines = linesOf({
      ...room,
      readSeq: 9,
      messages: [message(1, 'leo'), message(2, 'leo'), message(3, 'ana')],
    });
    expect(lines.flatMap((line) => (line.kind === 'said' ? [line.leads] : []))).toEqual([true, false, true]);
  });

  test('what the server has taken no longer waits', () => {
    const lines = linesOf({
      ...room,
      readSeq: 9,
      messages: [message(1, 'mia')],
      waiting: [waiting('client-1'), waiting('client-x')],
    });
    expect(lines.map(({ key }) => key)).toEqual(['day 2026-11-20', 'client-1', 'client-x']);
  });
});

describe('a stretch of messages', () => {
  const start = { messages: [message(4, 'leo')], before: 3 };
  const seqs = (more: Message[]) => extend(start, more).messages.map(({ seq }) => seq);

  test('takes what follows, in order, each once', () => {
    expect(seqs([message(6, 'leo'), message(5, 'leo'), message(4, 'leo')])).toEqual([4, 5, 6]);
  });
  test('takes nothing behind a gap, and stays the same thing', () => {
    expect(extend(start, [message(6, 'leo')])).toBe(start);
  });
  test('holds a message read anew at its place, and none that it does not hold', () => {
    const fresh = { ...message(4, 'leo'), text: 'fresh' };
    expect(renew(start, fresh).messages).toEqual([fresh]);
    expect(renew(start, message(7, 'leo'))).toBe(start);
  });
});
