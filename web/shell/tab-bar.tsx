import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { classes } from '../ui/classes.ts';
import { isWithin, tabs } from './places.ts';
import { AccountBadge, AlertsBadge } from './unread.tsx';

/** The four tabs at the bottom of a phone: 50 px high above the safe area, icons of 24 px. */
export function TabBar() {
  const { t } = useTranslation();
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
    <nav aria-label={t('tabs.label')} className="safe-bottom shrink-0 bg-ink">
      <ul className="flex h-[50px]">
        {tabs.map((place) => {
          const selected = isWithin(place, pathname);
          const Icon = place.icon;
          return (
            <li key={place.to} className="flex-1">
              <Link
                to={place.to}
                aria-current={selected ? 'page' : undefined}
                className={classes(
                  'flex h-full flex-col items-center justify-center gap-0.5 transition-colors duration-150 focus-visible:-outline-offset-4 focus-visible:outline-brand',
                  selected ? 'text-brand' : 'text-muted',
                )}
              >
                <span className="relative">
                  <Icon aria-hidden className="size-6" strokeWidth={2} />
                  {place.word === 'account' && <AccountBadge />}
                  {place.word === 'discover' && <AlertsBadge />}
                </span>
                <span className="text-[0.6875rem] leading-none font-medium">{t(`tabs.${place.word}`)}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
