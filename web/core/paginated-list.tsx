import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { QueryView } from './query-view.tsx';

/** What a list needs of a read that goes page after page. */
interface Pages<T> {
  data: { items: readonly T[] } | undefined;
  error: Error | null;
  refetch: () => Promise<unknown>;
  hasMore: boolean;
  loadingMore: boolean;
  more: () => void;
}

/** A list that is read page after page: on its way, failed, empty, or there with a way to see more. */
export function PaginatedList<T>({
  pages,
  failed,
  empty,
  children,
}: {
  pages: Pages<T>;
  /** What did not load, as a title. */
  failed?: string;
  empty: ReactNode;
  children: (items: readonly T[]) => ReactNode;
}) {
  return (
    <QueryView
      query={pages}
      {...(failed === undefined ? {} : { failed })}
      skeleton={{ rows: 4 }}
      empty={empty}
      isEmpty={({ items }) => items.length === 0}
    >
      {({ items }) => (
        <div className="flex flex-col gap-4">
          {children(items)}
          <LoadMore pages={pages} />
        </div>
      )}
    </QueryView>
  );
}

/** Reads the next page of a list, where there is one. */
export function LoadMore({ pages }: { pages: Pick<Pages<unknown>, 'hasMore' | 'loadingMore' | 'more'> }) {
  const { t } = useTranslation('common');
  if (!pages.hasMore) return null;
  return (
    <Button tone="quiet" full busy={pages.loadingMore} onClick={pages.more}>
      {t('loadMore')}
    </Button>
  );
}
