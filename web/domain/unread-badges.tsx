import { useTranslation } from 'react-i18next';
import { listAlerts } from '#contract/alerts/endpoints.ts';
import { unreadCount } from '#contract/chat/endpoints.ts';
import { countNews } from '#contract/notifications/endpoints.ts';
import { useCall } from '../core/queries.ts';
import { useSession } from '../core/use-session.ts';

/** Messages and read marks keep the count (`core/room-news.ts`): it is asked for once a connection. */
const counted = (enabled: boolean) => ({ enabled, quiet: true, staleTime: 10 * 60_000 });

/** Unread chat messages as a badge on its icon; nothing when there are none. */
export function UnreadBadge() {
  const { t } = useTranslation();
  const { signedIn } = useSession();
  const { data } = useCall(unreadCount, {}, counted(signedIn));
  const unread = data?.unread ?? 0;
  return signedIn && unread > 0 ? <Badge count={unread} words={t('unread', { count: unread })} /> : null;
}

/** Unread notifications in the same way; messages are counted by themselves. */
export function NewsBadge() {
  const { t } = useTranslation('notifications');
  const { signedIn } = useSession();
  const { data } = useCall(countNews, {}, { enabled: signedIn, quiet: true });
  const unread = data?.unread ?? 0;
  return signedIn && unread > 0 ? <Badge count={unread} words={t('unread', { count: unread })} /> : null;
}

/** Both together, for the tab that leads to both. */
export function AccountBadge() {
  const { t } = useTranslation(['notifications', 'common']);
  const { signedIn } = useSession();
  const chat = useCall(unreadCount, {}, counted(signedIn)).data?.unread ?? 0;
  const news = useCall(countNews, {}, { enabled: signedIn, quiet: true }).data?.unread ?? 0;
  if (!signedIn || chat + news === 0) return null;
  const words = [
    ...(chat > 0 ? [t('common:unread', { count: chat })] : []),
    ...(news > 0 ? [t('notifications:unread', { count: news })] : []),
  ];
  return <Badge count={chat + news} words={words.join(', ')} />;
}

/** New hits of my alerts in the same way. */
export function AlertsBadge() {
  const { t } = useTranslation('alerts');
  const { signedIn } = useSession();
  const { data } = useCall(listAlerts, {}, { enabled: signedIn, quiet: true });
  const unread = data?.unread ?? 0;
  return signedIn && unread > 0 ? <Badge count={unread} words={t('badge', { count: unread })} /> : null;
}

function Badge({ count, words }: { count: number; words: string }) {
  return (
    <span className="figures absolute -top-1 left-1/2 ml-1.5 grid min-h-4.5 min-w-4.5 place-items-center rounded-full bg-danger px-1 text-[min(0.6875rem,14px)] leading-none font-semibold text-white ring-2 ring-ink">
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}
