import type { Place } from '#contract/units.ts';
import { sql } from 'drizzle-orm';
import {
  bigserial,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { deletedWith, instantColumn } from './columns.ts';
import { users } from './identity.ts';
import { pictures } from './pictures.ts';
import { bookings, rides } from './rides.ts';

/**
 * A ride's room, which has the ride's id; or the thread of two people before one joins, which has their
 * booking's.
 */
export const chatRooms = pgTable(
  'chat_rooms',
  {
    id: uuid('id').primaryKey(),
    rideId: deletedWith('ride_id', () => rides.id).notNull(),
    /** Null for the ride's own room. */
    bookingId: deletedWith('booking_id', () => bookings.id),
    lastSeq: integer('last_seq').notNull().default(0),
    /** How many of the lines people have said; the others are system lines. */
    said: integer('said').notNull().default(0),
    /** Grows whenever people enter or leave: what a process remembers of them holds for one version. */
    membersVersion: integer('members_version').notNull().default(0),
    closedAt: instantColumn('closed_at'),
    /** `ended`: the ride; `joined`: the talk goes on in the ride's room; `over`: nothing came of the ask. */
    closedBecause: text('closed_because', { enum: ['ended', 'joined', 'over'] }),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [index('chat_rooms_ride').on(t.rideId)],
);

export const chatMembers = pgTable(
  'chat_members',
  {
    roomId: deletedWith('room_id', () => chatRooms.id).notNull(),
    userId: deletedWith('user_id', () => users.id).notNull(),
    readSeq: integer('read_seq').notNull().default(0),
    /** `said` of the line at `readSeq`: the room's `said` is as much larger as lines are unread. */
    readSaid: integer('read_said').notNull().default(0),
    joinedAt: instantColumn('joined_at').notNull(),
    leftAt: instantColumn('left_at'),
  },
  (t) => [
    primaryKey({ columns: [t.roomId, t.userId] }),
    index('chat_members_latest').on(t.userId, t.joinedAt),
  ],
);

/** A move, its person, and the words they wrote with it. */
export interface SystemLine {
  move: string;
  name: string;
  words?: string;
}

export const chatMessages = pgTable(
  'chat_messages',
  {
    roomId: deletedWith('room_id', () => chatRooms.id).notNull(),
    /** Position in the room, from 1, without gaps. */
    seq: integer('seq').notNull(),
    /** How many lines people have said up to here, with this one. */
    said: integer('said').notNull(),
    clientId: uuid('client_id').notNull(),
    /** Null for a system line. */
    senderId: uuid('sender_id').references(() => users.id, { onDelete: 'set null' }),
    kind: text('kind', { enum: ['text', 'picture', 'place', 'system'] }).notNull(),
    text: text('text').notNull().default(''),
    system: jsonb('system').$type<SystemLine>(),
    /** Null once the picture has been removed, with its owner. */
    pictureId: uuid('picture_id').references(() => pictures.id, { onDelete: 'set null' }),
    place: jsonb('place').$type<Place>(),
    at: instantColumn('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.roomId, t.seq] }),
    uniqueIndex('chat_messages_room_client').on(t.roomId, t.clientId),
    index('chat_messages_picture')
      .on(t.pictureId)
      .where(sql`picture_id is not null`),
    index('chat_messages_at').on(t.at),
  ],
);

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * Messages between processes that are too long for NOTIFY; written and cleared away by socket.io's adapter.
 */
export const socketIoAttachments = pgTable('socket_io_attachments', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  createdAt: timestamp('created_at', { withTimezone: true }).defaultNow(),
  payload: bytes('payload'),
});
