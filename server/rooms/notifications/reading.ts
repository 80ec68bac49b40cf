import type { InputOf, OutputOf } from '#contract/define.ts';
import type { listNews, NewsLine, readNews } from '#contract/notifications/endpoints.ts';
import type { Base } from '../../base/base.ts';
import type { IdentityService } from '../identity/service.ts';
import { isNews, wordsOf, type Language } from './rules/words.ts';
import * as store from './store.ts';
import { namesOf } from './telling.ts';

type Which = Required<InputOf<typeof readNews>>;

/** The centre: what has happened, what of it has been read, on whichever device. */
export function createReading({ db, transact, clock, live }: Base, identity: IdentityService) {
  /** Marks news as read, and takes it from the screens of the person's other devices. */
  async function mark(userId: string, which: Parameters<typeof store.markRead>[2]): Promise<void> {
    await transact(async (tx, afterCommit) => {
      const things = await store.markRead(tx, userId, which, clock.now());
      afterCommit(() => {
        for (const thing of things)
          live.tell([userId], 'changed', { topic: 'notification', id: thing, news: 'read' });
      });
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
      const names = await namesOf(identity, rows);
      const news = rows.flatMap((row) => viewOf(row, names.get(row.otherId) ?? '', language) ?? []);
      return { news, total, unread };
    },

    unread: (userId: string): Promise<number> => store.unreadNews(db, userId),

    /** Marks as read by id, by the page it leads to, or everything; how much is left. */
    async read(userId: string, { ids, path, all }: Which): Promise<{ unread: number }> {
      if (all) await mark(userId, 'all');
      else {
        if (ids.length > 0) await mark(userId, { ids });
        if (path !== '') await mark(userId, { path });
      }
      return { unread: await store.unreadNews(db, userId) };
    },

    /** It was shown in an open app: it stays unread and is sent nowhere. */
    async seen(userId: string, ids: readonly string[]): Promise<void> {
      await transact((tx) => store.markSeen(tx, userId, ids, clock.now()));
    },
  };
}

/** A line of the centre; null for news that this version has no words for. */
function viewOf(row: store.NewsRow, name: string, language: Language): NewsLine | null {
  if (!isNews(row.word)) return null;
  return {
    id: row.id,
    kind: row.kind,
    ...wordsOf(row.word, language, { ...row.facts, name }),
    path: row.path,
    at: row.at.toISOString(),
    read: row.readAt !== null,
  };
}
