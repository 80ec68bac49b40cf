import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorWords } from './errors.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/surfaces.tsx';

/** A list that is read page after page: on its way, failed, empty, or there with a way to see more. */
export function PaginatedList<T>({
  pages,
  empty,
  children,
}: {
  pages: {
    items: readonly T[];
    isPending: boolean;
    error: Error | null;
    refetch: () => unknown;
    hasMore: boolean;
    loadingMore: boolean;
    more: () => void;
  };
  empty: ReactNode;
  children: (items: readonly T[]) => ReactNode;
}) {
  const { t } = useTranslation('common');
  const { items, isPending, error, refetch, hasMore, loadingMore, more } = pages;
  if (isPending) return <Skeleton label={t('loading')} rows={4} />;
  if (error !== null && items.length === 0) {
    return (
      <ErrorState
        title={t('trouble.title')}
        text={errorWords(error)}
        retryLabel={t('retry')}
        onRetry={() => void refetch()}
      />
    );
  }
  if (items.length === 0) return empty;
  return (
    <div className="flex flex-col gap-4">
      {children(items)}
      {hasMore && (
        <Button tone="quiet" small className="self-center" busy={loadingMore} onClick={more}>
          {t('loadMore')}
        </Button>
      )}
    </div>
  );
}
