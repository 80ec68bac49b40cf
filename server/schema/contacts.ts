import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { deletedWith, instantColumn } from './columns.ts';
import { users } from './identity.ts';
import { pictures } from './pictures.ts';

const contactOrigin = (name: string) =>
  text(name, { enum: ['DIRECT', 'PHONE_NUMBER', 'FTF_QRCODE', 'PHONE_CONTACT', 'INVITE'] });

/** One row a side: a pair of contacts is two rows, each with its own remark and tags. */
export const contacts = pgTable(
  'contacts',
  {
    ownerId: deletedWith('owner_id', () => users.id).notNull(),
    otherId: deletedWith('other_id', () => users.id).notNull(),
    remark: text('remark').notNull().default(''),
    origin: contactOrigin('origin').notNull(),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.ownerId, t.otherId] }), index('contacts_other').on(t.otherId)],
);

/** A person's request to become another person's contact; answered once. */
export const contactApplications = pgTable(
  'contact_applications',
  {
    id: uuid('id').primaryKey(),
    fromId: deletedWith('from_id', () => users.id).notNull(),
    toId: deletedWith('to_id', () => users.id).notNull(),
    message: text('message').notNull().default(''),
    origin: contactOrigin('origin').notNull(),
    status: text('status', { enum: ['pending', 'accepted', 'denied'] }).notNull(),
    createdAt: instantColumn('created_at').notNull(),
    answeredAt: instantColumn('answered_at'),
  },
  (t) => [
    // Two open ones between the same two people would be answered twice, in either direction.
    uniqueIndex('contact_applications_pending')
      .on(sql`least(${t.fromId}, ${t.toId})`, sql`greatest(${t.fromId}, ${t.toId})`)
      .where(sql`status = 'pending'`),
    index('contact_applications_from').on(t.fromId),
    index('contact_applications_to').on(t.toId),
  ],
);

export const tags = pgTable(
  'tags',
  {
    id: uuid('id').primaryKey(),
    ownerId: deletedWith('owner_id', () => users.id).notNull(),
    name: text('name').notNull(),
  },
  (t) => [uniqueIndex('tags_owner_name').on(t.ownerId, sql`lower(${t.name})`)],
);

export const taggedContacts = pgTable(
  'tagged_contacts',
  {
    tagId: deletedWith('tag_id', () => tags.id).notNull(),
    userId: deletedWith('user_id', () => users.id).notNull(),
  },
  (t) => [primaryKey({ columns: [t.tagId, t.userId] })],
);

export const blocks = pgTable(
  'blocks',
  {
    blockerId: deletedWith('blocker_id', () => users.id).notNull(),
    blockedId: deletedWith('blocked_id', () => users.id).notNull(),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.blockerId, t.blockedId] }), index('blocks_blocked').on(t.blockedId)],
);

/** A report to the admins about a person. */
export const personReports = pgTable(
  'person_reports',
  {
    id: uuid('id').primaryKey(),
    /** Null where the app itself reports. */
    reporterId: deletedWith('reporter_id', () => users.id),
    subjectId: deletedWith('subject_id', () => users.id).notNull(),
    reason: text('reason', {
      enum: ['harassment', 'dangerous driving', 'false identity', 'spam', 'other', 'late cancellations'],
    }).notNull(),
    words: text('words').notNull().default(''),
    /**
     * The review that is reported, and its words as they were; null and empty where it is about the person.
     */
    reviewId: uuid('review_id'),
    quote: text('quote').notNull().default(''),
    /** The chat message that is reported, by its room and position; null where it is about none. */
    roomId: uuid('room_id'),
    messageSeq: integer('message_seq'),
    createdAt: instantColumn('created_at').notNull(),
    /** Null until an admin has handled it. */
    handledAt: instantColumn('handled_at'),
    handledById: uuid('handled_by_id'),
    outcome: text('outcome').notNull().default(''),
  },
  (t) => [
    index('person_reports_subject').on(t.subjectId),
    index('person_reports_created').on(t.createdAt, t.id),
    index('person_reports_open')
      .on(t.createdAt)
      .where(sql`handled_at is null`),
    uniqueIndex('person_reports_review').on(t.reporterId, t.reviewId),
    uniqueIndex('person_reports_line').on(t.reporterId, t.roomId, t.messageSeq),
  ],
);

/**
 * A reported chat message and what people wrote before and after it, as it was when it was reported: whatever
 * becomes of the room, it stays as long as the report.
 */
export const reportedMessages = pgTable(
  'reported_messages',
  {
    reportId: deletedWith('report_id', () => personReports.id).notNull(),
    seq: integer('seq').notNull(),
    isReported: boolean('is_reported').notNull(),
    /** Null once the account is gone. */
    senderId: uuid('sender_id').references(() => users.id, { onDelete: 'set null' }),
    kind: text('kind', { enum: ['text', 'picture', 'place'] }).notNull(),
    /** The written text; of a place its name and address, without where it is on the map. */
    text: text('text').notNull(),
    pictureId: uuid('picture_id').references(() => pictures.id, { onDelete: 'set null' }),
    at: instantColumn('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.reportId, t.seq] }),
    index('reported_messages_sender').on(t.senderId),
    index('reported_messages_picture')
      .on(t.pictureId)
      .where(sql`picture_id is not null`),
  ],
);
