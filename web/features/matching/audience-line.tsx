import { Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { audience } from '#contract/rides/endpoints.ts';
import { useCall } from '../../core/queries.ts';

/**
 * How many waiting people my ride reaches. Nothing until it is known, and nothing if it does not load: it is
 * no task.
 */
export function AudienceLine({ rideId }: { rideId: string }) {
  const { t } = useTranslation('planning');
  const { data } = useCall(audience, { id: rideId }, { quiet: true });
  if (data === undefined) return null;
  const { canSee, fit } = data;
  return (
    <p className="flex items-start gap-2 text-body text-ink-2">
      <Users aria-hidden className="mt-0.5 size-5 shrink-0" />
      {canSee === 0
        ? t('audience.nobody')
        : t('audience.line', {
            people: t('audience.people', { count: canSee }),
            fit: t('audience.fit', { count: fit }),
          })}
    </p>
  );
}
