import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { homeOf } from '../core/side.ts';
import { useStartSide } from '../core/use-start-side.ts';
import { classes } from '../ui/classes.ts';
import { isWithin, railPlaces } from './nav-places.ts';
import { AlertsBadge, NewsBadge, UnreadBadge } from '../domain/unread-badges.tsx';

/**
 * The navigation at the left from 1024 px on: the tabs, and Rides and Chat, which a phone reaches through
 * them.
 */
export function NavRail({ foot }: { foot?: ReactNode }) {
  const { t } = useTranslation();
  const side = useStartSide();
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
    <nav aria-label={t('tabs.label')} className="pane flex w-[88px] shrink-0 flex-col bg-ink py-3">
      <img src="/icon.svg" alt="" className="mx-auto mb-4 size-11" />
      <ul className="flex flex-col gap-1 px-2">
        {railPlaces.map((place) => {
          const selected = isWithin(place, pathname);
          const Icon = place.icon;
          return (
            <li key={place.to}>
              <Link
                to={place.word === 'carpool' ? homeOf[side] : place.to}
                aria-current={selected ? 'page' : undefined}
                className={classes(
                  'flex min-h-15 flex-col items-center justify-center gap-1 rounded-control transition-colors duration-150 focus-visible:outline-brand',
                  selected ? 'bg-white/10 text-brand' : 'text-muted hover:bg-white/6',
                )}
              >
                <span className="relative">
                  <Icon aria-hidden className="size-6" strokeWidth={2} />
                  {place.word === 'chat' && <UnreadBadge />}
                  {place.word === 'discover' && <AlertsBadge />}
                  {place.word === 'account' && <NewsBadge />}
                </span>
                <span className="text-small leading-none font-medium">{t(`tabs.${place.word}`)}</span>
              </Link>
            </li>
          );
        })}
      </ul>
      {foot && <div className="mt-auto pt-3">{foot}</div>}
    </nav>
  );
}
