import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState, FailedLine, Skeleton } from '../ui/surfaces.tsx';
import { errorWords } from './errors.ts';

/** What a view needs of a read. */
type Read<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;

/**
 * What a read has brought: its content once it is there, a skeleton while it is on its way, and why it failed
 * with a way to try again. What was read before stays shown when reading it again fails.
 */
export function QueryView<T>({
  query,
  failed,
  skeleton = { kind: 'rows' },
  children,
}: {
  query: Read<T>;
  /** What did not load, as a title; the reason stands below it. */
  failed?: string;
  skeleton?: { rows?: number; kind?: 'rows' | 'cards' };
  children: (data: T) => ReactNode;
}) {
  const { t } = useTranslation('common');
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error !== null)
    return (
      <ErrorState
        title={failed ?? t('trouble.title')}
        text={errorWords(error)}
        retryLabel={t('retry')}
        onRetry={() => void refetch()}
      />
    );
  return <Skeleton label={t('loading')} {...skeleton} />;
}

/**
 * A small part of a page that shows nothing while it is read: where reading it failed, one line says so, with
 * a way to try again, so that a missing part is not taken for an empty one.
 */
export function PartView<T>({
  query,
  failed,
  children,
}: {
  query: Read<T>;
  failed?: string;
  children: (data: T) => ReactNode;
}) {
  const { t } = useTranslation('common');
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error === null) return null;
  return (
    <FailedLine text={failed ?? errorWords(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
  );
}
