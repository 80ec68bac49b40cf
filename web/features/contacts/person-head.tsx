import { BadgeCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Person } from '#contract/user/endpoints.ts';
import { StateChip } from '../../ui/chips.tsx';
import { Avatar, Rating } from '../../ui/people.tsx';

/** Who a person is: picture, name, stars, rides. */
export function PersonHead({ person, note }: { person: Person; note?: string }) {
  const { t } = useTranslation(['contacts', 'common']);
  return (
    <div className="flex flex-col items-center gap-2 pt-2 text-center">
      <Avatar name={person.name} src={person.avatar} seed={person.id} size={88} />
      <h2 className="max-w-full text-heading break-words">{person.name}</h2>
      <p className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1">
        <Rating
          stars={person.rating}
          count={person.ratingCount}
          label={t('common:stars', { count: person.rating ?? 0 })}
          none={t('common:noRating')}
        />
        <span className="figures text-small text-ink-2">
          {t('contacts:person.rides', { count: person.completedRides })}
        </span>
        {person.verifiedDriver && (
          <StateChip tone="brand" icon={<BadgeCheck aria-hidden />}>
            {t('contacts:person.verified')}
          </StateChip>
        )}
      </p>
      {note !== undefined && <p className="text-small text-ink-3">{note}</p>}
    </div>
  );
}
