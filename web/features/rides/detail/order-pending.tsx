import type { UseQueryResult } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { QueryView } from '../../../core/query-view.tsx';
import type { SkeletonShape } from '../../../ui/skeleton.tsx';
import { EmptyState } from '../../../ui/surfaces.tsx';

/**
 * Shown instead of an order that a page has not got: that there is none, that reading it failed, or that it
 * is on its way.
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
  /** The shape of what comes. */
  kind?: SkeletonShape;
}) {
  const { t } = useTranslation('rides');
  return (
    <QueryView
      // What was read before does not count: the page that has it does not ask for this.
      query={{ data: undefined, error: detail.error, refetch: detail.refetch }}
      failed={t('detail.failed')}
      skeleton={{ kind }}
      isMissing={id === ''}
      missing={
        <EmptyState icon={<SearchX />} title={t('detail.missingTitle')} text={t('detail.missingText')} />
      }
    >
      {() => null}
    </QueryView>
  );
}
