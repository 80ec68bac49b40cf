import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instantColumn } from './columns.ts';
import { users } from './identity.ts';

/** What the operator tells everyone, or a community, for a time. */
export const announcements = pgTable(
  'announcements',
  {
    id: uuid('id').primaryKey(),
    titleEn: text('title_en').notNull(),
    titleZh: text('title_zh').notNull(),
    textEn: text('text_en').notNull(),
    textZh: text('text_zh').notNull(),
    fromAt: instantColumn('from_at').notNull(),
    /** Taken down before its time, it ends at that moment. */
    untilAt: instantColumn('until_at').notNull(),
    /** The domain of confirmed addresses that it is for; empty for everyone. */
    community: text('community').notNull().default(''),
    /** Null for the command line, and once the account is gone. */
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [
    index('announcements_until').on(t.untilAt),
    index('announcements_created').on(t.createdAt, t.id),
    index('announcements_author').on(t.authorId),
  ],
);
