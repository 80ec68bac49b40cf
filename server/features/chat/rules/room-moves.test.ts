import { expect, test } from 'vitest';
import { applyMoves, type RoomMove, type RoomState } from './room-moves.ts';

const at = new Date('2026-11-23T17:00:00Z');
const move = (changes: Partial<RoomMove>): RoomMove => ({
  room: { id: 'room', rideId: 'room', bookingId: null },
  clientId: 'one',
  move: 'cancel',
  personId: 'passenger',
  at,
  enters: [],
  leaves: null,
  closes: null,
  onlyWith: null,
  ...changes,
});
const room = (changes: Partial<RoomState> = {}) =>
  new Map([
    [
      'room',
      {
        isOpened: true,
        lastSeq: 4,
        said: 2,
        members: new Set(['driver']),
        lines: new Set<string>(),
        ...changes,
      },
    ],
  ]);
const joins = { move: 'joinAtOnce', enters: ['driver', 'passenger'] } as const;

test.each<[string, ReturnType<typeof room>, RoomMove[], string[]]>([
  [
    'one line each, in order',
    room(),
    [move({}), move({ clientId: 'two' })],
    ['5 one: driver', '6 two: driver'],
  ],
  ['not again in the batch', room(), [move({}), move({})], ['5 one: driver']],
  ['not again after a crash', room({ lines: new Set(['one']) }), [move({ leaves: 'driver' })], []],
  ['no room', new Map(), [move({})], []],
  [
    'a room that is not open yet',
    room({ isOpened: false }),
    [move({}), move({ ...joins, clientId: 'two' })],
    ['5 two: driver,passenger'],
  ],
  [
    'who enters is told, who leaves is not',
    room(),
    [move(joins), move({ clientId: 'two', leaves: 'driver' })],
    ['5 one: driver,passenger', '6 two: passenger'],
  ],
  ['only with a person who is in it', room(), [move({ onlyWith: 'passenger' })], []],
  [
    'only with a person who has just entered',
    room(),
    [move(joins), move({ clientId: 'two', onlyWith: 'passenger' })],
    ['5 one: driver,passenger', '6 two: driver,passenger'],
  ],
])('%s', (_, rooms, moves, lines) => {
  const applied = applyMoves(rooms, moves).lines.map(
    ({ seq, clientId, tells }) => `${seq} ${clientId}: ${tells.join(',')}`,
  );
  expect(applied).toEqual(lines);
});

test('a person who enters and leaves in one batch has left; one who was not in the room has no membership', () => {
  const leaves = [
    move({ clientId: 'two', leaves: 'passenger' }),
    move({ clientId: 'three', leaves: 'stranger' }),
  ];
  expect(applyMoves(room(), [move(joins), ...leaves]).memberships).toEqual([
    { roomId: 'room', userId: 'driver', joinedAt: at, leftAt: null },
    { roomId: 'room', userId: 'passenger', joinedAt: at, leftAt: at },
  ]);
});
