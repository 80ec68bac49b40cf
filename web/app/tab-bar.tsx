import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { homeOf } from '../core/side.ts';
import { useStartSide } from '../core/use-start-side.ts';
import { classes } from '../ui/classes.ts';
import { isWithin, tabs } from './nav-places.ts';
import { AccountBadge, AlertsBadge } from '../domain/unread-badges.tsx';

/**
 * The four tabs at the bottom of a phone: 50 px high above the safe area, icons of 24 px; `upright` at the
 * left of one that lies on its side. Their words grow with the text as far as four of them fit side by side.
 */
export function TabBar({ upright = false }: { upright?: boolean }) {
  const { t } = useTranslation();
  const side = useStartSide();
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
    <nav
      aria-label={t('tabs.label')}
      className={classes(
        'shrink-0 bg-ink',
        upright ? 'pane w-20 py-1 pl-[env(safe-area-inset-left)]' : 'safe-bottom',
      )}
    >
      <ul className={classes('flex min-h-[50px]', upright && 'min-h-full flex-col justify-center gap-1')}>
        {tabs.map((place) => {
          const selected = isWithin(place, pathname);
          const Icon = place.icon;
          return (
            <li key={place.to} className={upright ? '' : 'min-w-0 flex-1'}>
              <Link
                to={place.word === 'carpool' ? homeOf[side] : place.to}
                aria-current={selected ? 'page' : undefined}
                className={classes(
                  'flex h-full min-h-[50px] flex-col items-center justify-center gap-0.5 py-1 transition-colors duration-150 focus-visible:-outline-offset-4 focus-visible:outline-brand',
                  selected ? 'text-brand' : 'text-muted',
                )}
              >
                <span className="relative">
                  <Icon aria-hidden className="size-6" strokeWidth={2} />
                  {place.word === 'account' && <AccountBadge />}
                  {place.word === 'discover' && <AlertsBadge />}
                </span>
                <span
                  className={classes(
                    'leading-tight font-medium',
                    upright ? 'text-[min(0.6875rem,16px)]' : 'text-[min(0.6875rem,max(11px,4.1cqi))]',
                  )}
                >
                  {t(`tabs.${place.word}`)}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
