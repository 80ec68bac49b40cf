import { QueryClient, type Query, type QueryKey } from '@tanstack/react-query';
import { Offline, Refused, ServerTrouble } from './errors.ts';

/** For this long an answer, or a refusal, is not asked for again by a page that opens. */
const freshMs = 15_000;

/** The one cache of what the server said. Keys are `[path, input]`. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshMs,
      gcTime: 10 * 60_000,
      // A refusal stays one however often it is asked; a lost connection may come back.
      retry: (failures, error) =>
        error instanceof Offline && !error.timedOut && failures < 2 && navigator.onLine,
      // What was read ahead of a component may be refused before the component is there.
      retryOnMount: ({ state }) =>
        !(state.error instanceof Refused) || Date.now() - state.errorUpdatedAt > freshMs,
      // Without a connection a page says so, instead of silently waiting for one.
      networkMode: 'always',
      refetchOnReconnect: true,
      retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 8000),
      refetchOnWindowFocus: true,
      throwOnError: false,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/**
 * Reads again everything whose path starts with one of these, for example `'/order/'`. Without arguments:
 * everything.
 */
export const invalidate = (...prefixes: readonly string[]): Promise<void> =>
  readAgain(
    prefixes.length === 0 ? {} : { predicate: ({ queryKey }: Query) => startsWithAny(queryKey, prefixes) },
  );

/**
 * Reads again what the change of one thing concerns: of `prefixes` what was asked about it or shows it, and
 * all of `lists`, in which it may be new.
 */
export const invalidateAbout = (
  id: string,
  { lists, prefixes }: { lists: readonly string[]; prefixes: readonly string[] },
): Promise<void> =>
  readAgain({
    predicate: ({ queryKey, state }) =>
      startsWithAny(queryKey, lists) ||
      (startsWithAny(queryKey, prefixes) &&
        (state.data === undefined || mentions(queryKey, id) || mentions(state.data, id))),
  });

/** True where a value, or anything in it, is that id. */
function mentions(value: unknown, id: string): boolean {
  if (typeof value === 'string') return value === id;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((each) => mentions(each, id));
}

async function readAgain(about: { predicate?: (query: Query) => boolean }): Promise<void> {
  // A refusal that no page shows is forgotten: the next page asks again.
  queryClient.removeQueries({
    type: 'inactive',
    predicate: (query) =>
      query.state.status === 'error' && query.state.data === undefined && (about.predicate?.(query) ?? true),
  });
  const firstReads = queryClient
    .getQueryCache()
    .findAll({ ...about, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  await queryClient.invalidateQueries(about);
  // A first read under way is not started again, and may have been answered before the change: it is read
  // once more.
  await Promise.all(
    firstReads.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey, exact: true })),
  );
}

function startsWithAny(key: QueryKey, prefixes: readonly string[]): boolean {
  const [path] = key;
  return typeof path === 'string' && prefixes.some((prefix) => path.startsWith(prefix));
}

/**
 * Whether trying the same action again makes sense with the same idempotency key: it is not known if it was
 * done.
 */
export const mayHaveHappened = (error: unknown): boolean =>
  error instanceof Offline || error instanceof ServerTrouble;
