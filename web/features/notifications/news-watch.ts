import { countNews, listNews, readNews, seeNews } from '#contract/notifications/endpoints.ts';
import { call } from '../../core/api.ts';
import { device } from '../../core/device/this-device.ts';
import { currentLanguage } from '../../core/i18n.ts';
import { followNews } from '../../core/realtime.ts';
import { keyOf } from '../../core/queries.ts';
import { invalidate, queryClient } from '../../core/query-client.ts';
import { followSession, isSignedIn, readSession } from '../../core/session.ts';
import { toast } from '../../ui/toasts.tsx';

const newest = 5;

/** A person is looking at the app, and not only has it open behind something else. */
const isLookedAt = (): boolean => !document.hidden && document.hasFocus();

/**
 * A notification that arrives while the app is in the foreground is shown at once, and goes nowhere else; one
 * that leads to the page that is open counts as read, on every device. Called once, at launch.
 * @param page what is open now: its path with its query.
 * @param onPage calls back whenever another page has been opened.
 */
export function startNewsWatch(page: () => string, onPage: (listener: () => void) => void): void {
  const readHere = () => void readPage(page());
  onPage(readHere);
  addEventListener('focus', readHere);
  followNews((id, news) => {
    // What has been read somewhere is taken from this device's screen.
    if (news === 'read')
      void device()
        .closeNotices(id)
        .catch(() => {});
    else if (isLookedAt()) void show(id, page);
    // The icon counts on where no page that is open shows the number.
    void queryClient.refetchQueries({ queryKey: keyOf(countNews, {}), type: 'inactive' });
  });
  // The number on the home screen's icon.
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryKey[0] === countNews.path) device().showBadge(unreadNow());
  });
  followSession(() => {
    if (!isSignedIn(readSession())) device().showBadge(0);
  });
  // A notification may have been tapped that started the app: what it was about is read by that.
  if (isSignedIn(readSession()))
    void queryClient
      .fetchQuery({ queryKey: keyOf(countNews, {}), queryFn: () => call(countNews, {}, { quiet: true }) })
      .then(
        () => {
          // It may have been counted before the cache was followed.
          device().showBadge(unreadNow());
          readHere();
        },
        () => {},
      );
}

const unreadNow = (): number =>
  queryClient.getQueryData<{ unread: number }>(keyOf(countNews, {}))?.unread ?? 0;

/**
 * Marks what leads to a page as read; messages have a count of their own, so their page is always asked for.
 */
async function readPage(path: string): Promise<void> {
  if (!isSignedIn(readSession()) || !isLookedAt()) return;
  if (unreadNow() === 0 && !path.startsWith('/pages/chat/message')) return;
  try {
    const { unread } = await call(readNews, { path }, { quiet: true });
    if (unread !== unreadNow()) await invalidate('/notification/');
  } catch {
    // It stays unread, and is marked again when the page is opened the next time.
  }
}

async function show(id: string, page: () => string): Promise<void> {
  try {
    const { news } = await call(listNews, { language: currentLanguage(), size: newest }, { quiet: true });
    const line = news.find((each) => each.id === id);
    if (line === undefined || line.read) return;
    if (line.path === page()) {
      await readPage(page());
      return;
    }
    // An alert's hit is shown on the page where it is found.
    if (line.kind !== 'alert') toast.info(line.title);
    await call(seeNews, { ids: [id] }, { quiet: true });
  } catch {
    // Not shown, so not said to have been seen: it arrives by the other ways.
  }
}
