import { z } from 'zod';
import { defineEndpoint } from '../define.ts';
import { id, messageLength, someWords } from '../units.ts';
import { person } from '../user/endpoints.ts';

export const message = z.object({
  id: z.string(),
  roomid: z.string(),
  /** Position in the room, from 1, without gaps. */
  seq: z.number().int(),
  /** Made by the sender's device, so that a message sent twice is kept once. */
  clientId: z.string(),
  senderId: z.string().nullable(),
  kind: z.enum(['text', 'system']),
  /** What a person typed; for a system line empty. */
  text: z.string(),
  /** A system line as data: what moved and who; the web app words it. */
  system: z.object({ move: z.string(), name: z.string() }).nullable(),
  at: z.iso.datetime(),
});
export type Message = z.output<typeof message>;

export const room = z.object({
  roomid: z.string(),
  rideId: z.string(),
  title: z.object({ from: z.string(), to: z.string(), departsAt: z.iso.datetime(), timeZone: z.string() }),
  members: z.array(person.extend({ isDriver: z.boolean(), readSeq: z.number().int() })),
  lastMessage: message.nullable(),
  lastSeq: z.number().int(),
  unread: z.number().int(),
  /** Closed after the ride: readable, no more messages. */
  closed: z.boolean(),
});
export type Room = z.output<typeof room>;

export const roomList = defineEndpoint({
  method: 'GET',
  path: '/im/room-list',
  who: 'user',
  summary: 'My rooms, the latest first.',
  input: z.object({}),
  output: z.object({ rooms: z.array(room) }),
  refusals: [],
});

export const roomDetail = defineEndpoint({
  method: 'GET',
  path: '/im/room-detail',
  who: 'user',
  summary: 'One room of mine.',
  input: z.object({ roomid: id }),
  output: room,
  refusals: ['room.notFound'],
});

export const msgList = defineEndpoint({
  method: 'GET',
  path: '/im/msg-list',
  who: 'user',
  summary: 'Messages of a room, newest first; `after` gives what came after a position, oldest first.',
  input: z.object({
    roomid: id,
    offset: z.coerce.number().int().min(0).default(0),
    size: z.coerce.number().int().min(1).max(200).default(50),
    after: z.coerce.number().int().min(0).optional(),
  }),
  output: z.object({ messages: z.array(message), total: z.number().int() }),
  refusals: ['room.notFound'],
});

export const unreadCount = defineEndpoint({
  method: 'GET',
  path: '/im/unread-count',
  who: 'user',
  summary: 'Unread messages in all my rooms.',
  input: z.object({}),
  output: z.object({ unread: z.number().int() }),
  refusals: [],
});

export const sendMessage = defineEndpoint({
  method: 'POST',
  path: '/im/send',
  who: 'user',
  summary: 'Says something in a room; the same `clientId` is kept once.',
  input: z.object({
    roomid: id,
    clientId: id,
    text: someWords(messageLength, 'Please enter a message.'),
  }),
  output: message,
  refusals: ['room.notFound', 'room.closed'],
});

export const markRead = defineEndpoint({
  method: 'POST',
  path: '/im/read',
  who: 'user',
  summary: 'Everything up to this position has been read.',
  input: z.object({ roomid: id, seq: z.number().int().min(0) }),
  output: z.object({ unread: z.number().int() }),
  refusals: ['room.notFound'],
});
