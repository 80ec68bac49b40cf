import { Link } from '@tanstack/react-router';
import { MessageCircle, Route } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../core/use-session.ts';
import { useDesktop } from '../ui/media.ts';
import { UnreadBadge } from './unread-badges.tsx';

const round =
  'relative grid size-11 place-items-center rounded-full bg-surface text-ink shadow-card transition-colors duration-150 hover:bg-page';

/** My rides and my chats, one tap from home on a phone, whose four tabs do not hold them. */
export function RidesAndChat() {
  const { t } = useTranslation();
  const { signedIn } = useSession();
  const desktop = useDesktop();
  if (desktop || !signedIn) return null;
  return (
    <>
      <Link to="/pages/order/order" aria-label={t('tabs.rides')} title={t('tabs.rides')} className={round}>
        <Route aria-hidden className="size-5" />
      </Link>
      <Link to="/pages/chat/chat" title={t('tabs.chat')} className={round}>
        <span className="sr-only">{t('tabs.chat')}</span>
        <span className="relative">
          <MessageCircle aria-hidden className="size-5" />
          <UnreadBadge />
        </span>
      </Link>
    </>
  );
}
