import type { App } from '../../app-type.ts';
import { dayMs, later, minuteMs, secondMs } from '../../platform/clock.ts';
import { markRead } from './notification-queries.ts';
import * as sources from './sources/store.ts';
import { firstUnread } from './state.ts';
import { tellPeople } from './tell-people.ts';

/** A message that is read within this time causes no notification. */
const messagePauseMs = 15 * secondMs;
/**
 * Messages older than this cause no notification: a person who has not opened the app for a day is not called
 * back for them.
 */
const lookBackMs = dayMs;

/** Maximum unread notifications compared with what was read since, in one round. */
const checkedAtOnce = 1000;
/** After an outage the messages of so much time are counted at once. */
const spanMs = 10 * minuteMs;

/**
 * Notifies people of messages that stayed unread for a moment: one notification per room, however many there
 * are.
 */
export async function tellMessages(app: App): Promise<void> {
  const { db, clock } = app;
  const until = later(clock.now(), -messagePauseMs);
  // The mark is stored in the database: an outage, however long, neither loses nor repeats a message.
  const oldest = later(until, -lookBackMs);
  await forgetRead(app, oldest);
  const mark = await sources.messagesToldUntil(db);
  // If the clock was set back, checks again.
  let since = mark === null || mark < oldest || mark > until ? oldest : mark;
  while (since < until) {
    // After an outage, or at the first start, spans in which no person wrote anything are passed over.
    if (until.getTime() - since.getTime() > spanMs) {
      const firstAt = await app.ports.notifications.firstWrittenAt(db, since, until);
      since = firstAt === null ? until : new Date(Math.max(since.getTime(), firstAt.getTime() - 1));
    }
    const end = new Date(Math.min(until.getTime(), since.getTime() + spanMs));
    if (since < end) await tellUnread(app, since, end);
    await sources.keepMessagesTold(db, end);
    since = end;
  }
}

/**
 * Takes back notifications whose messages were read in their room: the next page of them, round and round.
 */
async function forgetRead(app: App, since: Date): Promise<void> {
  const { db, notifications, ports } = app;
  const from = notifications.checked.at < since ? { ...firstUnread, at: since } : notifications.checked;
  const page = await sources.unreadMessagesAfter(db, ports.notifications, from, checkedAtOnce);
  notifications.checked = page.length === checkedAtOnce ? page.at(-1)! : firstUnread;
  for (const { id, userId, isRead } of page) if (isRead) await markRead(app, userId, { ids: [id] });
}

async function tellUnread(app: App, since: Date, until: Date): Promise<void> {
  const unread = await app.ports.notifications.unreadMessages(app.db, since, until);
  await tellPeople(
    app,
    unread.map(({ userId, roomId, readSeq, count, senderId }) => ({
      userId,
      news: 'messages',
      source: `room:${roomId}:${readSeq}`,
      thing: `room:${roomId}`,
      otherId: senderId,
      // The message texts stay in the room.
      facts: { count },
      path: `/pages/chat/message?roomid=${roomId}`,
      goodUntil: later(app.clock.now(), lookBackMs),
      grows: true,
    })),
  );
}
