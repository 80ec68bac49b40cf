import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instantColumn } from './columns.ts';
import { users } from './identity.ts';

/** Announcements of the operator to everyone or a community, for a time. */
export const announcements = pgTable(
  'announcements',
  {
    id: uuid('id').primaryKey(),
    titleEn: text('title_en').notNull(),
    titleZh: text('title_zh').notNull(),
    textEn: text('text_en').notNull(),
    textZh: text('text_zh').notNull(),
    fromAt: instantColumn('from_at').notNull(),
    /** Taking an announcement down sets its end to that moment. */
    untilAt: instantColumn('until_at').notNull(),
    /** Only people who confirmed an email address of this domain see it; empty for everyone. */
    community: text('community').notNull().default(''),
    /** Null for the command line, and after the account is deleted. */
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [
    index('announcements_until').on(t.untilAt),
    index('announcements_created').on(t.createdAt, t.id),
    index('announcements_author').on(t.authorId),
  ],
);
