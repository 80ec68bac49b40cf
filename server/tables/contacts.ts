import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instantColumn } from './columns.ts';
import { users } from './identity.ts';

/** One row a side: a pair of contacts is two rows, each with its own remark and tags. */
export const contacts = pgTable(
  'contacts',
  {
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    otherId: uuid('other_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    remark: text('remark').notNull().default(''),
    origin: text('origin', {
      enum: ['DIRECT', 'PHONE_NUMBER', 'FTF_QRCODE', 'PHONE_CONTACT', 'INVITE'],
    }).notNull(),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.ownerId, t.otherId] }), index('contacts_other').on(t.otherId)],
);

export const tags = pgTable(
  'tags',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
  },
  (t) => [uniqueIndex('tags_owner_name').on(t.ownerId, t.name)],
);

export const taggedContacts = pgTable(
  'tagged_contacts',
  {
    tagId: uuid('tag_id')
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.tagId, t.userId] })],
);

export const blocks = pgTable(
  'blocks',
  {
    blockerId: uuid('blocker_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    blockedId: uuid('blocked_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.blockerId, t.blockedId] }), index('blocks_blocked').on(t.blockedId)],
);
