import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instantColumn } from './columns.ts';
import { users } from './identity.ts';
import { rides } from './rides.ts';

/** A ride's room; it has the ride's id. */
export const chatRooms = pgTable('chat_rooms', {
  id: uuid('id')
    .primaryKey()
    .references(() => rides.id, { onDelete: 'cascade' }),
  lastSeq: integer('last_seq').notNull().default(0),
  closedAt: instantColumn('closed_at'),
  createdAt: instantColumn('created_at').notNull(),
});

export const chatMembers = pgTable(
  'chat_members',
  {
    roomId: uuid('room_id')
      .notNull()
      .references(() => chatRooms.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    readSeq: integer('read_seq').notNull().default(0),
    joinedAt: instantColumn('joined_at').notNull(),
    leftAt: instantColumn('left_at'),
  },
  (t) => [primaryKey({ columns: [t.roomId, t.userId] }), index('chat_members_user').on(t.userId)],
);

export const chatMessages = pgTable(
  'chat_messages',
  {
    id: uuid('id').primaryKey(),
    roomId: uuid('room_id')
      .notNull()
      .references(() => chatRooms.id, { onDelete: 'cascade' }),
    /** Position in the room, from 1, without gaps. */
    seq: integer('seq').notNull(),
    clientId: uuid('client_id').notNull(),
    /** Null for a system line. */
    senderId: uuid('sender_id').references(() => users.id, { onDelete: 'set null' }),
    kind: text('kind', { enum: ['text', 'system'] }).notNull(),
    text: text('text').notNull().default(''),
    system: jsonb('system').$type<{ move: string; name: string }>(),
    at: instantColumn('at').notNull(),
  },
  (t) => [
    uniqueIndex('chat_messages_room_seq').on(t.roomId, t.seq),
    uniqueIndex('chat_messages_room_client').on(t.roomId, t.clientId),
    index('chat_messages_at').on(t.at),
  ],
);
