import type { SQL } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';

/** Questions of notifications to the features above them: events, the chat and trips. */
export interface NotificationPorts {
  /** An event's name; null where it does not exist. */
  eventName(db: Db, eventId: string): Promise<string | null>;
  /** When a person first wrote a message in a time span, which begins after `from`; null for none. */
  firstWrittenAt(db: Db, from: Date, until: Date): Promise<Date | null>;
  /**
   * For each person with unread messages of which some were written in a time span: how many, and who wrote
   * the last.
   */
  unreadMessages(
    db: Db,
    from: Date,
    until: Date,
  ): Promise<{ userId: string; roomId: string; readSeq: number; count: number; senderId: string }[]>;
  /** True where the email about a lost booking, with other rides, has gone to its passenger. */
  hasRebookingEmail(db: Db, bookingId: string): Promise<boolean>;
  /** A statement that reads each member's last read line by room: `user_id`, `room_id` and `read_seq`. */
  readMarks: SQL;
}
