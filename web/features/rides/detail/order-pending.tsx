import type { UseQueryResult } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { errorWords, Refused } from '../../../core/errors.ts';
import { Skeleton, type SkeletonShape } from '../../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../../ui/surfaces.tsx';

/**
 * What stands in place of an order that a page has not got: that there is none, that reading it failed, or
 * that it is on its way.
 */
export function OrderPending({
  id,
  detail,
  kind = 'detail',
}: {
  /** As in the page's address; empty where it names none. */
  id: string;
  /** The call that reads the order. */
  detail: Pick<UseQueryResult, 'error' | 'refetch'>;
  /** What will stand there. */
  kind?: SkeletonShape;
}) {
  const { t } = useTranslation(['rides', 'common']);
  const { error } = detail;
  // Without a session no one has been told whether there is such an order: that is what 400 says.
  const isMissing = id === '' || (error instanceof Refused && error.code !== 400);
  if (isMissing)
    return (
      <EmptyState
        icon={<SearchX />}
        title={t('rides:detail.missingTitle')}
        text={t('rides:detail.missingText')}
      />
    );
  if (error !== null)
    return (
      <ErrorState
        title={t('rides:detail.failed')}
        text={errorWords(error)}
        retryLabel={t('common:retry')}
        onRetry={() => void detail.refetch()}
      />
    );
  return <Skeleton label={t('common:loading')} kind={kind} />;
}
