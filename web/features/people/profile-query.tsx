import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { readProfile, type Profile } from '#contract/user/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { useCall } from '../../core/queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/surfaces.tsx';

/**
 * Draws its children with the signed-in person's profile, and says so while it is on its way or cannot be
 * read.
 */
export function WithProfile({
  rows = 3,
  children,
}: {
  rows?: number;
  children: (profile: Profile) => ReactNode;
}) {
  const { t } = useTranslation(['people', 'common']);
  const { data, error, refetch } = useCall(readProfile, {}, { quiet: true });
  if (data !== undefined) return children(data);
  if (error !== null) {
    return (
      <ErrorState
        title={t('people:profile.failed')}
        text={errorWords(error)}
        retryLabel={t('common:retry')}
        onRetry={() => void refetch()}
      />
    );
  }
  return <Skeleton label={t('common:loading')} rows={rows} />;
}
