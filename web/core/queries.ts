import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  type QueryFunctionContext,
  type QueryKey,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useRef } from 'react';
import type { Endpoint, InputOf, OutputOf } from '#contract/define.ts';
import { call } from './api.ts';
import { fieldReasons, Refused } from './errors.ts';
import { invalidate, mayHaveHappened } from './query-client.ts';
import { newId } from './new-id.ts';

export interface UseCallOptions<O = unknown> {
  /** False leaves the call unmade, for example while an id is missing. */
  enabled?: boolean;
  /**
   * Shows the last answer while a changed input is being read, for lists under a search field; or only where
   * it says so of the input before.
   */
  keepPrevious?: boolean | ((previous: Readonly<Record<string, unknown>>) => boolean);
  /**
   * No toast when it fails: the screen says it itself. Without it, a toast says it only where the screen goes
   * on showing an earlier answer; with false, in each case.
   */
  quiet?: boolean;
  staleTime?: number;
  /** Reads again and again; or as long as the last answer asks for it. */
  refetchInterval?: number | ((output: O | undefined) => number | false);
}

/** The cache key of a call, for `queryClient.setQueryData` and the like. */
export const keyOf = <E extends Endpoint>(endpoint: E, input: InputOf<E>): [string, InputOf<E>] => [
  endpoint.path,
  input,
];

/** A screen that has nothing to show of a read says itself that it failed: a toast would say it twice. */
const isFirstRead = ({ client, queryKey }: Pick<QueryFunctionContext, 'client' | 'queryKey'>): boolean =>
  client.getQueryData(queryKey) === undefined;

/** The cache key of a read, and how it is made: the same for a component and for what reads ahead of it. */
export const queryOf = <E extends Endpoint>(endpoint: E, input: InputOf<E>, quiet?: boolean) => ({
  queryKey: keyOf(endpoint, input),
  queryFn: (context: Pick<QueryFunctionContext, 'signal' | 'client' | 'queryKey'>) =>
    call(endpoint, input, { signal: context.signal, quiet: quiet ?? isFirstRead(context) }),
});

/** The same for an endpoint that is read page after page. */
export const pagesQueryOf = <E extends Endpoint>(endpoint: E, input: InputOf<E>, quiet?: boolean) => ({
  queryKey: [...keyOf(endpoint, input), 'pages'],
  queryFn: (
    context: Pick<QueryFunctionContext<QueryKey, number>, 'signal' | 'client' | 'queryKey' | 'pageParam'>,
  ) =>
    call(endpoint, Object.assign({}, input, { offset: context.pageParam }), {
      signal: context.signal,
      quiet: quiet ?? isFirstRead(context),
    }),
  initialPageParam: 0,
});

/**
 * Reads a GET endpoint and keeps it fresh. Show `isPending` as a Skeleton and `error` as an ErrorState with
 * `refetch`.
 */
export function useCall<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: UseCallOptions<OutputOf<E>> = {},
): UseQueryResult<OutputOf<E>> {
  const { enabled = true, keepPrevious = false, quiet, staleTime, refetchInterval } = options;
  return useQuery<OutputOf<E>>({
    ...queryOf(endpoint, input, quiet),
    enabled,
    ...(typeof keepPrevious === 'function'
      ? {
          placeholderData: (
            data: OutputOf<E> | undefined,
            query: { queryKey: readonly unknown[] } | undefined,
          ) =>
            query !== undefined && keepPrevious(query.queryKey[1] as Record<string, unknown>)
              ? data
              : undefined,
        }
      : keepPrevious
        ? { placeholderData: keepPreviousData }
        : {}),
    ...(staleTime === undefined ? {} : { staleTime }),
    ...(refetchInterval === undefined
      ? {}
      : {
          refetchInterval:
            typeof refetchInterval === 'number'
              ? refetchInterval
              : ({ state }: { state: { data: OutputOf<E> | undefined } }) => refetchInterval(state.data),
        }),
  } as Parameters<typeof useQuery<OutputOf<E>>>[0]);
}

const none: readonly never[] = [];

/**
 * Reads a GET endpoint that takes an `offset`, page after page; `more()` reads the next one. `items` stays
 * the same list from one drawing to the next until one of them changes, so that it can be depended on.
 */
export function usePaginatedCall<E extends Endpoint, T>(
  endpoint: E,
  input: InputOf<E>,
  options: {
    items: (output: OutputOf<E>) => readonly T[];
    total: (output: OutputOf<E>) => number;
    enabled?: boolean;
    /** How long it stays in memory once no page shows it. */
    gcTime?: number;
  },
) {
  const query = useInfiniteQuery({
    ...pagesQueryOf(endpoint, input),
    getNextPageParam: (last: OutputOf<E>, all: OutputOf<E>[]) => {
      const read = all.reduce((sum, page) => sum + options.items(page).length, 0);
      return options.items(last).length === 0 || read >= options.total(last) ? undefined : read;
    },
    // Done again at every drawing, but what comes out equal is the same object as before.
    select: ({ pages }) => {
      const last = pages.at(-1);
      return {
        items: pages.flatMap((page) => [...options.items(page)]),
        total: last === undefined ? 0 : options.total(last),
        first: pages[0],
      };
    },
    enabled: options.enabled ?? true,
    ...(options.gcTime === undefined ? {} : { gcTime: options.gcTime }),
  });
  return {
    data: query.data,
    items: query.data?.items ?? none,
    total: query.data?.total ?? 0,
    first: query.data?.first,
    isPending: query.isPending,
    ...readingOn(query),
  };
}

/** Whether it failed, and how to read it again or on. */
export const readingOn = <T>(
  query: Pick<
    UseInfiniteQueryResult<T>,
    'data' | 'error' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >,
) => ({
  // What has been read stays readable when reading it again, or reading on, fails.
  error: query.data === undefined ? query.error : null,
  refetch: query.refetch,
  hasMore: query.hasNextPage,
  loadingMore: query.isFetchingNextPage,
  more: () => {
    if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
  },
});

export interface UseActionOptions<E extends Endpoint> {
  /** Path prefixes to read again once it is done, for example `['/car/']`. */
  invalidates?: readonly string[];
  onDone?: (output: OutputOf<E>, input: InputOf<E>) => void;
  /** Called when the server says no. Return true if the screen shows it, and no toast appears. */
  onRefused?: (refused: Refused) => boolean;
}

export interface Action<E extends Endpoint> {
  /** Does it; ignored while the last one is still under way, so a double tap acts once. Never throws. */
  run: (input: InputOf<E>) => void;
  /** The same as a promise of the answer, null when it failed (already shown) or was ignored. */
  ask: (input: InputOf<E>) => Promise<OutputOf<E> | null>;
  busy: boolean;
  error: Error | null;
  /** The last refusal's fields in the person's language, keyed by dotted path. */
  fields: Record<string, string>;
  reset: () => void;
}

/**
 * A POST endpoint behind a button. Trying again after a lost connection repeats the same action, never a
 * second one.
 */
export function useAction<E extends Endpoint>(endpoint: E, options: UseActionOptions<E> = {}): Action<E> {
  const unsettled = useRef<{ input: string; key: string } | null>(null);
  const underWay = useRef(false);

  const mutation = useMutation<OutputOf<E>, Error, InputOf<E>>({
    mutationKey: [endpoint.path],
    mutationFn: async (input) => {
      const written = JSON.stringify(input);
      const key = unsettled.current?.input === written ? unsettled.current.key : newId();
      unsettled.current = { input: written, key };
      try {
        const output = await call(endpoint, input, {
          idempotencyKey: key,
          quiet: (error) => error instanceof Refused && (options.onRefused?.(error) ?? false),
        });
        unsettled.current = null;
        return output;
      } catch (error) {
        if (!mayHaveHappened(error)) unsettled.current = null;
        throw error;
      }
    },
    onSuccess: (output, input) => {
      if (options.invalidates) void invalidate(...options.invalidates);
      options.onDone?.(output, input);
    },
  });

  const ask = async (input: InputOf<E>) => {
    if (underWay.current) return null;
    underWay.current = true;
    try {
      return await mutation.mutateAsync(input);
    } catch {
      return null;
    } finally {
      underWay.current = false;
    }
  };

  const { error } = mutation;
  return {
    run: (input) => void ask(input),
    ask,
    busy: mutation.isPending,
    error,
    fields: error instanceof Refused ? Object.fromEntries(fieldReasons(error)) : {},
    reset: mutation.reset,
  };
}
