import { dehydrate, hydrate, type DehydratedState, type Query } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { config } from '#contract/app/endpoints.ts';
import { paymentConfig } from '#contract/payments/endpoints.ts';
import { queryClient } from './query-client.ts';
import { followSession, readSession } from './session.ts';
import { stored } from './stored.ts';

/** What is the same for each person: what this installation is, and the figures that its legal texts name. */
const installationPaths = [config.path, paymentConfig.path];

/**
 * A person's latest reads stay readable without a connection: their orders and who matches them, the day of a
 * ride, the messages about it, events, the account. Cached in this browser for its person alone, for a day at
 * most, since addresses and phone numbers on it are hidden again a day after a ride. A guest reads what all
 * may see.
 */
const keptPaths = [
  '/order/list',
  '/order/next',
  '/order/detail',
  '/order/timeline',
  '/order/boarding-pass',
  '/order/boarding-key',
  '/im/room-list',
  '/im/room-detail',
  '/im/msg-list',
  '/im/unread-count',
  '/notification/list',
  '/notification/unread-count',
  '/announcement/current',
  '/user/profile',
  '/user/stats',
  '/car/list',
  '/address/list',
  '/event/list',
  '/event/detail',
  '/event/rides',
  '/event/mine',
  '/series/list',
  '/contact/list',
  '/tag/list',
] as const;
/** Read for drafts too, which change with every field: these stay only where they belong to an order. */
const keptByOrder = '/order/match';
/** Reads of the shell, shown on every page, say nothing about how old the page is. */
const ofShell = ['/im/unread-count', '/notification/unread-count', '/announcement/current'];
/** A page's cached read stays in memory for the same time, so that the next write has it. */
export const keptForMs = 24 * 60 * 60_000;
/** Browsers give a site about 5 MB; more than this is no one's last seen. */
const mostCharacters = 1_500_000;
const writeAfterMs = 2000;

type Kept = { userId: string; state: DehydratedState };

const kept = stored('reads', (raw): Kept | null =>
  typeof raw === 'object' && raw !== null && 'userId' in raw && 'state' in raw ? (raw as Kept) : null,
);

const installation = stored('installation', (raw): DehydratedState | null =>
  typeof raw === 'object' && raw !== null && 'queries' in raw ? (raw as DehydratedState) : null,
);

const isOfInstallation = ({ queryKey: [path], state }: Query): boolean =>
  installationPaths.some((each) => each === path) && state.data !== undefined;

const isOfOrder = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'id' in input && typeof input.id === 'string';

const isToBeKept = ({ queryKey: [path, input] }: Query): boolean =>
  keptPaths.some((each) => each === path) || (path === keptByOrder && isOfOrder(input));

const isKept = (query: Query): boolean =>
  isToBeKept(query) && query.state.data !== undefined && isOfLastDay(query);

const isOfLastDay = ({ state }: Query): boolean => Date.now() - state.dataUpdatedAt < keptForMs;

function write(): void {
  installation.write(
    dehydrate(queryClient, {
      shouldDehydrateQuery: isOfInstallation,
      shouldDehydrateMutation: () => false,
    }),
  );
  const userId = readSession().id;
  const state = dehydrate(queryClient, {
    shouldDehydrateQuery: isKept,
    shouldDehydrateMutation: () => false,
  });
  // The newest first; what does not fit any more is left out.
  let characters = 0;
  state.queries = state.queries
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .filter((query) => {
      characters += JSON.stringify(query.state.data).length;
      return characters < mostCharacters;
    });
  kept.write({ userId, state });
}

/**
 * What is known of the installation, for the first screen and after the cache was emptied for another person.
 */
export function takeUpInstallation(): void {
  const known = installation.read();
  if (known === null) return;
  hydrate(queryClient, known);
  // Shown while it is read again, however fresh it seems.
  void queryClient.invalidateQueries({ refetchType: 'none', predicate: isOfInstallation });
}

/** Takes up what was last read, and keeps what is read from here on. Called once, before the first screen. */
export function startOfflineCache(): void {
  for (const path of [...keptPaths, ...installationPaths])
    queryClient.setQueryDefaults([path], { gcTime: keptForMs });
  takeUpInstallation();
  const found = kept.read();
  if (found !== null && found.userId === readSession().id) {
    hydrate(queryClient, found.state, { defaultOptions: { queries: { gcTime: keptForMs } } });
    queryClient.removeQueries({
      predicate: (query) => !isOfInstallation(query) && Date.now() - query.state.dataUpdatedAt >= keptForMs,
    });
    // It is shown while it is read again, however fresh it seems.
    void queryClient.invalidateQueries({ refetchType: 'none' });
  } else if (found !== null) kept.write(null);

  let timer: ReturnType<typeof setTimeout> | null = null;
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || timer !== null || !(isKept(query) || isOfInstallation(query))) return;
    timer = setTimeout(() => {
      timer = null;
      write();
    }, writeAfterMs);
  });
  addEventListener('pagehide', write);
  followSession(() => {
    if (kept.read() !== null && kept.read()?.userId !== readSession().id) kept.write(null);
  });
}

/**
 * When the oldest of the cached reads that the page shows was made, in ms since 1970; null where it shows
 * none, or has to say itself that it has none of a read that is usually cached.
 */
export function shownSince(): number | null {
  const reads = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .filter(({ queryKey: [path] }) => !ofShell.some((each) => each === path));
  const shown = reads.filter(isKept);
  const hasFailed = reads.some(
    (query) => isToBeKept(query) && query.state.status === 'error' && query.state.data === undefined,
  );
  return hasFailed || shown.length === 0 ? null : Math.min(...shown.map(({ state }) => state.dataUpdatedAt));
}

export const useShownSince = (): number | null =>
  useSyncExternalStore((listener) => queryClient.getQueryCache().subscribe(listener), shownSince);
