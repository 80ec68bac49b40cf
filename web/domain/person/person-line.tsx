import { BadgeCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Person } from '#contract/user/endpoints.ts';
import { Avatar, Rating } from '../../ui/people.tsx';

/**
 * A person on a ride: picture, name, verified badge, stars; with a line of your own and something at the end.
 */
export function PersonLine({
  person,
  detail,
  trailing,
  size = 44,
}: {
  person: Person;
  /** Under the name, next to the stars: "2 seats", "Driver". */
  detail?: ReactNode;
  trailing?: ReactNode;
  size?: number;
}) {
  const { t } = useTranslation(['rides', 'common']);
  const name = person.name || t('common:guest');
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={name} src={person.avatar} seed={person.id} size={size} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1">
          <span className="truncate text-lead font-semibold">{name}</span>
          {person.verifiedDriver && (
            <>
              <BadgeCheck aria-hidden className="size-4.5 shrink-0 text-brand-ink" />
              <span className="sr-only">{t('rides:person.verified')}</span>
            </>
          )}
        </span>
        <span className="flex flex-wrap items-center gap-x-2 text-small text-ink-2">
          <PersonStars person={person} />
          {detail}
        </span>
      </span>
      {trailing}
    </span>
  );
}

/** A person's mean stars, in words for screen readers. */
export function PersonStars({ person }: { person: Person }) {
  const { t } = useTranslation(['rides', 'common']);
  const stars = person.rating?.toFixed(1) ?? '';
  return (
    <Rating
      stars={person.rating}
      count={person.ratingCount}
      label={t('rides:person.rating', { stars, count: person.ratingCount })}
      none={t('rides:person.new')}
    />
  );
}
