import type { InputOf, OutputOf } from '#contract/define.ts';
import type {
  listNews as listCall,
  NewsAnswer,
  NewsLine,
  readNews,
} from '#contract/notifications/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Language } from '../../platform/messages/translate.ts';
import { namesOf } from './drafts.ts';
import { answerTo } from './rules/answers.ts';
import { isNews, wordsOf, type News, type NewsFacts } from './rules/notification-texts.ts';
import * as sources from './sources/store.ts';
import * as store from './store.ts';

type Which = Required<InputOf<typeof readNews>>;

/** The notification center's notifications, newest first, across devices. */
export async function listNews(
  app: App,
  userId: string,
  { language, ...page }: { language: Language; offset: number; size: number },
): Promise<OutputOf<typeof listCall>> {
  const { db, clock } = app;
  const [{ rows, total }, unread] = await Promise.all([
    store.newsOf(db, userId, page),
    store.unreadNews(db, userId),
  ]);
  const names = await namesOf(app, rows);
  const lines = rows.flatMap((row) => {
    const news = row.word;
    const facts: NewsFacts = { ...row.facts, name: names.get(row.otherId) ?? '' };
    // Leaves out a kind that this version has no texts for.
    return isNews(news) ? [{ row, news, facts }] : [];
  });
  const asked = await sources.askedOf(db, userId, {
    bookingIds: lines.flatMap(({ facts }) => facts.bookingId ?? []),
    changeIds: lines.flatMap(({ facts }) => facts.changeId ?? []),
  });
  const news = lines.map((line) => {
    const { name = '', bookingId, changeId } = line.facts;
    const asking = { news: line.news, name, bookingId, changeId };
    return viewOf(line, answerTo(asking, asked, clock.now()), language);
  });
  return { news, total, unread };
}

/** Marks notifications as read, and removes them from the person's other devices. */
export async function markRead(
  { transact, clock, outbox }: App,
  userId: string,
  which: Parameters<typeof store.markRead>[2],
): Promise<void> {
  await transact('mark read', async (tx) => {
    for (const thing of await store.markRead(tx, userId, which, clock.now()))
      await outbox.tell(tx, [userId], { topic: 'notification', id: thing, news: 'read' });
  });
}

/** Marks as read by id, by target page, or all. @returns how many remain unread. */
export async function markNewsRead(
  app: App,
  userId: string,
  { ids, path, all }: Which,
): Promise<{ unread: number }> {
  if (all) await markRead(app, userId, 'all');
  else {
    if (ids.length > 0) await markRead(app, userId, { ids });
    if (path !== '') await markRead(app, userId, { path });
  }
  return { unread: await store.unreadNews(app.db, userId) };
}

/** Records that an open app has shown them: they stay unread and are not sent. */
export async function noteSeen(
  { transact, clock }: App,
  userId: string,
  ids: readonly string[],
): Promise<void> {
  await transact('note seen', (tx) => store.markSeen(tx, userId, ids, clock.now()));
}

function viewOf(
  { row, news, facts }: { row: store.NewsRow; news: News; facts: NewsFacts },
  answer: NewsAnswer | null,
  language: Language,
): NewsLine {
  return {
    id: row.id,
    kind: row.kind,
    ...wordsOf(news, language, facts),
    path: row.path,
    at: row.at.toISOString(),
    read: row.readAt !== null,
    departsAt: facts.departsAt ?? null,
    answer,
  };
}
