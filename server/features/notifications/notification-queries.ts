import type { InputOf, OutputOf } from '#contract/define.ts';
import type { listNews, NewsAnswer, NewsLine, readNews } from '#contract/notifications/endpoints.ts';
import type { App } from '../../app-type.ts';
import { answerTo } from './rules/answers.ts';
import type { Language } from '../../platform/messages/translate.ts';
import { isNews, wordsOf, type News, type NewsFacts } from './rules/notification-texts.ts';
import * as sources from './sources/store.ts';
import * as store from './store.ts';
import { namesOf } from './context.ts';

type Which = Required<InputOf<typeof readNews>>;

/** The notification center: notifications and which of them are read, across devices. */
export function createNotificationQueries(app: App) {
  const { db, transact, clock, outbox } = app;
  /** Marks notifications as read, and removes them from the person's other devices. */
  async function mark(userId: string, which: Parameters<typeof store.markRead>[2]): Promise<void> {
    await transact(async (tx) => {
      for (const thing of await store.markRead(tx, userId, which, clock.now()))
        await outbox.tell(tx, [userId], { topic: 'notification', id: thing, news: 'read' });
    });
  }

  return {
    mark,

    async list(
      userId: string,
      { language, ...page }: { language: Language; offset: number; size: number },
    ): Promise<OutputOf<typeof listNews>> {
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
    },

    unread: (userId: string): Promise<number> => store.unreadNews(db, userId),

    /** Marks as read by id, by target page, or all. @returns how many remain unread. */
    async read(userId: string, { ids, path, all }: Which): Promise<{ unread: number }> {
      if (all) await mark(userId, 'all');
      else {
        if (ids.length > 0) await mark(userId, { ids });
        if (path !== '') await mark(userId, { path });
      }
      return { unread: await store.unreadNews(db, userId) };
    },

    /** Records that an open app has shown them: they stay unread and are not sent. */
    async seen(userId: string, ids: readonly string[]): Promise<void> {
      await transact((tx) => store.markSeen(tx, userId, ids, clock.now()));
    },
  };
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
