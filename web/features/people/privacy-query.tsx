import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { readPrivacy } from '#contract/privacy/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { useCall } from '../../core/queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/surfaces.tsx';
import type { Privacy } from './privacy-choices.tsx';

/** Draws its children with the person's privacy choices, and says so while they cannot be read. */
export function WithPrivacy({ children }: { children: (privacy: Privacy) => ReactNode }) {
  const { t } = useTranslation(['settings', 'common']);
  const { data, error, refetch } = useCall(readPrivacy, {}, { quiet: true });
  if (data !== undefined) return children(data);
  if (error === null) return <Skeleton label={t('common:loading')} rows={4} kind="form" />;
  return (
    <ErrorState
      title={t('settings:privacy.failed')}
      text={errorWords(error)}
      retryLabel={t('common:retry')}
      onRetry={() => void refetch()}
    />
  );
}
