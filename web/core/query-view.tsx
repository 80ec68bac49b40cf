import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '../ui/skeleton.tsx';
import { ErrorState, FailedLine } from '../ui/surfaces.tsx';
import { errorWords, Refused } from './errors.ts';

/** What a view needs of a read. */
export interface Read<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => Promise<unknown>;
}

/**
 * Two reads that are shown together: there once both are, failed where one of them is, read again together.
 */
export function bothOf<A, B>(a: Read<A>, b: Read<B>): Read<[A, B]> {
  return {
    data: a.data === undefined || b.data === undefined ? undefined : [a.data, b.data],
    error: a.error ?? b.error,
    refetch: () => Promise.all([a.refetch(), b.refetch()]),
  };
}

/** What a view shows instead of its content. */
interface InPlace<T> {
  /** What did not load, as a title; the reason is below it. */
  failed?: string;
  /** The shape of what comes. */
  skeleton?: Omit<ComponentProps<typeof Skeleton>, 'label'>;
  /**
   * What is shown where there is no such thing: the server refuses it, or the page's address names none
   * (`isMissing`).
   */
  missing?: ReactNode;
  isMissing?: boolean;
  /** What is shown where the content is empty, as `isEmpty` says. */
  empty?: ReactNode;
  isEmpty?: (data: T) => boolean;
}

/** 400 asks for a sign-in and 429 for patience: neither says anything about the thing. */
const isRefusedForGood = (error: Error | null): boolean =>
  error instanceof Refused && error.code !== 400 && error.code !== 429;

/**
 * What a read has brought: its content once it is there, a skeleton while it is on its way, what is shown
 * where there is none, and why it failed with a way to try again. What was read before stays shown when
 * reading it again fails.
 */
export function QueryView<T>({
  query,
  failed,
  skeleton = {},
  missing,
  isMissing = false,
  empty,
  isEmpty,
  children,
}: InPlace<T> & {
  query: Read<T>;
  children: (data: T) => ReactNode;
}) {
  const { t } = useTranslation('common');
  const { data, error, refetch } = query;
  if (missing !== undefined && (isMissing || (data === undefined && isRefusedForGood(error)))) return missing;
  if (data !== undefined) return empty !== undefined && isEmpty?.(data) ? empty : children(data);
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
