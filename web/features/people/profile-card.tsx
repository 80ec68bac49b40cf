import { Link } from '@tanstack/react-router';
import { BadgeCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Profile } from '#contract/user/endpoints.ts';
import { useFormat } from '../../core/use-format.ts';
import { StateChip } from '../../ui/chips.tsx';
import { Avatar, Rating } from '../../ui/people.tsx';
import { Card } from '../../ui/surfaces.tsx';

/** Who I am to others, and what sharing cars has come to so far. */
export function ProfileCard({ profile }: { profile: Profile }) {
  const { t } = useTranslation(['people', 'common']);
  const format = useFormat();
  const { id, name, avatar, rating, ratingCount, completedRides, sharedMetres, savedCo2Grams } = profile;
  return (
    <Card>
      <div className="flex items-center gap-4">
        <Avatar name={name} src={avatar} seed={id} size={64} />
        <div className="min-w-0 flex-1">
          <h2 className="text-heading break-words">{name}</h2>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-small text-ink-3">{t('people:account.rating')}</span>
            <Rating
              stars={rating}
              count={ratingCount}
              label={t('common:stars', { count: rating ?? 0 })}
              none={t('common:noRating')}
            />
            {profile.license === 'Accepted' && (
              <StateChip tone="brand" icon={<BadgeCheck aria-hidden />}>
                {t('people:account.verified')}
              </StateChip>
            )}
          </div>
        </div>
      </div>
      <dl
        aria-label={t('people:account.stats')}
        className="mt-4 grid grid-cols-3 gap-2 large-text:grid-cols-1 border-t border-line pt-4"
      >
        <Figure
          value={String(completedRides)}
          label={t('people:account.completed', { count: completedRides })}
        />
        <Figure
          value={sharedMetres === 0 ? t('people:account.noMiles') : format.distance(sharedMetres)}
          label={t('people:account.miles')}
        />
        <Figure value={format.weight(savedCo2Grams)} label={t('people:account.co2')} />
      </dl>
      <div className="mt-3 flex flex-wrap gap-x-4">
        <Link to="/pages/contact/user" search={{ id }} className={cardLink}>
          {t('people:account.mine')}
        </Link>
        <Link to="/pages/account/settings2" className={cardLink}>
          {t('people:account.edit')}
        </Link>
      </div>
    </Card>
  );
}

const cardLink =
  'inline-flex min-h-11 items-center rounded-small font-semibold text-brand-ink underline-offset-4 hover:underline';

function Figure({ value, label }: { value: string; label: string }) {
  return (
    <div className="flex flex-col-reverse justify-end text-center">
      <dt className="text-small text-ink-3">{label}</dt>
      <dd className="figures text-lead font-semibold">{value}</dd>
    </div>
  );
}
