import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { NewsBadge } from '../../domain/unread-badges.tsx';

/** The way to the center, with how much in it is new. */
export function NewsBell() {
  const { t } = useTranslation('notifications');
  return (
    <Link
      to="/pages/account/notifications"
      className="relative grid size-11 place-items-center rounded-full text-ink"
    >
      <span className="sr-only">{t('open')}</span>
      <span className="relative">
        <Bell aria-hidden className="size-6" />
        <NewsBadge />
      </span>
    </Link>
  );
}
