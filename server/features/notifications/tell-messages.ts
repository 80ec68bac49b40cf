import { dayMs, later, secondMs } from '../../platform/clock.ts';
import type { createNotificationQueries } from './notification-queries.ts';
import * as sources from './sources/store.ts';
import { tellPeople, type TellingContext } from './tell-people.ts';

/** A message that is read within this time causes no notification. */
const messagePauseMs = 15 * secondMs;
/**
 * Messages older than this cause no notification: a person who has not opened the app for a day is not called
 * back for them.
 */
const lookBackMs = dayMs;

type MarkRead = ReturnType<typeof createNotificationQueries>['mark'];

/**
 * Notifies people of messages that stayed unread for a moment: one notification per room, however many there
 * are.
 */
export async function tellMessages(context: TellingContext & { markRead: MarkRead }): Promise<void> {
  const { upper, platform } = context;
  const { db, clock } = platform;
  const until = later(clock.now(), -messagePauseMs);
  // The mark is stored in the database: an outage, however long, neither loses nor repeats a message.
  const oldest = later(until, -lookBackMs);
  const mark = await sources.messagesToldUntil(db);
  // If the clock was set back, checks again.
  const since = mark === null || mark < oldest || mark > until ? oldest : mark;
  for (const { id, userId } of await sources.messagesReadSince(db, upper, later(until, -dayMs)))
    await context.markRead(userId, { ids: [id] });
  const unread = await upper.unreadMessages(db, since, until);
  await tellPeople(
    context,
    unread.map(({ userId, roomId, readSeq, count, senderId }) => ({
      userId,
      news: 'messages',
      source: `room:${roomId}:${readSeq}`,
      thing: `room:${roomId}`,
      otherId: senderId,
      // The message texts stay in the room.
      facts: { count },
      path: `/pages/chat/message?roomid=${roomId}`,
      grows: true,
    })),
  );
  await sources.keepMessagesTold(db, until);
}
