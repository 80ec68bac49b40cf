import { useTranslation } from 'react-i18next';
import { unreadCount } from '#contract/chat/endpoints.ts';
import { useCall } from '../base/queries.ts';
import { useSession } from '../base/session.ts';

/** Unread chat messages as a badge on the icon it stands on; nothing when there are none. */
export function UnreadBadge() {
  const { t } = useTranslation();
  const { signedIn } = useSession();
  const { data } = useCall(unreadCount, {}, { enabled: signedIn, quiet: true });
  const unread = data?.unread ?? 0;
  if (!signedIn || unread === 0) return null;
  return (
    <span className="figures absolute -top-1 left-1/2 ml-1.5 grid h-4.5 min-w-4.5 place-items-center rounded-full bg-danger px-1 text-[0.6875rem] leading-none font-semibold text-white ring-2 ring-ink">
      <span aria-hidden>{unread > 99 ? '99+' : unread}</span>
      <span className="sr-only">{t('unread', { count: unread })}</span>
    </span>
  );
}
