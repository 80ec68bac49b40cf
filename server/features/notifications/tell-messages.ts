import { dayMs, later, minuteMs, secondMs } from '../../platform/clock.ts';
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

/** Maximum unread notifications compared with what was read since, in one round. */
const checkedAtOnce = 1000;
/** After an outage the messages of so much time are counted at once. */
const spanMs = 10 * minuteMs;

type MessagesContext = TellingContext & { markRead: MarkRead };

/**
 * Notifies people of messages that stayed unread for a moment: one notification per room, however many there
 * are.
 */
export function createTellMessages(context: MessagesContext): () => Promise<void> {
  const first = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' };
  let checked: Pick<sources.UnreadMessages, 'at' | 'id'> = first;

  /**
   * Takes back notifications whose messages were read in their room: the next page of them, round and round.
   */
  async function forgetRead(since: Date): Promise<void> {
    const { platform, upper } = context;
    const from = checked.at < since ? { ...first, at: since } : checked;
    const page = await sources.unreadMessagesAfter(platform.db, upper, from, checkedAtOnce);
    checked = page.length === checkedAtOnce ? page.at(-1)! : first;
    for (const { id, userId, isRead } of page) if (isRead) await context.markRead(userId, { ids: [id] });
  }

  return async () => {
    const { db, clock } = context.platform;
    const until = later(clock.now(), -messagePauseMs);
    // The mark is stored in the database: an outage, however long, neither loses nor repeats a message.
    const oldest = later(until, -lookBackMs);
    await forgetRead(oldest);
    const mark = await sources.messagesToldUntil(db);
    // If the clock was set back, checks again.
    let since = mark === null || mark < oldest || mark > until ? oldest : mark;
    while (since < until) {
      // After an outage, or at the first start, spans in which no person wrote anything are passed over.
      if (until.getTime() - since.getTime() > spanMs) {
        const firstAt = await context.upper.firstWrittenAt(db, since, until);
        since = firstAt === null ? until : new Date(Math.max(since.getTime(), firstAt.getTime() - 1));
      }
      const end = new Date(Math.min(until.getTime(), since.getTime() + spanMs));
      if (since < end) await tellUnread(context, since, end);
      await sources.keepMessagesTold(db, end);
      since = end;
    }
  };
}

async function tellUnread(context: MessagesContext, since: Date, until: Date): Promise<void> {
  const unread = await context.upper.unreadMessages(context.platform.db, since, until);
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
      goodUntil: later(context.platform.clock.now(), lookBackMs),
      grows: true,
    })),
  );
}
