import { z } from 'zod';
import { defineEndpoint, minuteSeconds } from '../define.ts';
import { id, messageLength, place, visible, words } from '../units.ts';
import { person } from '../user/endpoints.ts';

export const message = z.object({
  id: z.string(),
  roomid: z.string(),
  /** Position in the room, from 1, without gaps. */
  seq: z.number().int(),
  /** Made by the sender's device, so that a message sent twice is kept once. */
  clientId: z.string(),
  senderId: z.string().nullable(),
  kind: z.enum(['text', 'picture', 'place', 'system']),
  /** What a person typed; empty for all other kinds. */
  text: z.string(),
  /** A picture's address works for some minutes; null when it has been removed. */
  picture: z.object({ url: z.string(), width: z.number().int(), height: z.number().int() }).nullable(),
  place: place.nullable(),
  /** A system line as data: what moved, who, and what they wrote with it; the web app words it. */
  system: z.object({ move: z.string(), name: z.string(), words: z.string().optional() }).nullable(),
  at: z.iso.datetime(),
});
export type Message = z.output<typeof message>;

export const room = z.object({
  roomid: z.string(),
  rideId: z.string(),
  /** The thread of two people about an ask or an invitation has its booking's id, a ride's room null. */
  bookingId: z.string().nullable(),
  /** The places are approximate while I do not ride along. */
  title: z.object({ from: z.string(), to: z.string(), departsAt: z.iso.datetime(), timeZone: z.string() }),
  members: z.array(person.extend({ isDriver: z.boolean(), readSeq: z.number().int() })),
  lastMessage: message.nullable(),
  lastSeq: z.number().int(),
  unread: z.number().int(),
  /** Closed after the ride: readable, no more messages. */
  closed: z.boolean(),
  /**
   * `ended`: the ride; `joined`: it goes on in the ride's room; `over`: nothing came of the ask; null while
   * open.
   */
  closedBecause: z.enum(['ended', 'joined', 'over']).nullable(),
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

/** Exactly one of text, picture and place. */
const said = z
  .object({
    roomid: id,
    clientId: id,
    text: words(messageLength).optional(),
    /** The id of a picture I have just uploaded for a chat. */
    picture: id.optional(),
    place: place.optional(),
  })
  .refine((line) => [line.text, line.picture, line.place].filter((part) => part !== undefined).length === 1, {
    path: ['text'],
    error: 'Please enter a message.',
  })
  .refine((line) => line.text === undefined || visible.test(line.text), {
    path: ['text'],
    error: 'Please enter a message.',
  });

export const sendMessage = defineEndpoint({
  method: 'POST',
  path: '/im/send',
  who: 'user',
  summary: 'Says something in a room: text, a picture or a place; the same `clientId` is kept once.',
  limits: [{ per: 'caller', most: 60, withinSeconds: minuteSeconds }],
  input: said,
  output: message,
  refusals: ['room.notFound', 'room.closed', 'room.joined', 'room.over', 'message.taken', 'upload.gone'],
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
