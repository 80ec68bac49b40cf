import { dehydrate, hydrate, type DehydratedState, type Query } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { followSession, readSession } from './session.ts';
import { stored } from './stored.ts';

/**
 * What a person last read stays readable without a connection: their orders, the day of a ride, the messages about it.
 * Kept in this browser for its person alone, for a day at most, since addresses and phone numbers on it are hidden again
 * a day after a ride.
 */
const keptPaths = [
  '/app/config',
  '/order/list',
  '/order/next',
  '/order/detail',
  '/order/timeline',
  '/order/boarding-pass',
  '/order/boarding-key',
  '/im/room-list',
  '/im/room-detail',
  '/im/msg-list',
  '/notification/list',
  '/notification/unread-count',
  '/user/profile',
  '/car/list',
  '/address/list',
  '/event/detail',
] as const;
const keptForMs = 24 * 60 * 60_000;
/** Browsers give a site about 5 MB; more than this is nobody's last seen. */
const mostLetters = 1_500_000;
const writeAfterMs = 2000;

type Kept = { userId: string; state: DehydratedState };

const kept = stored('reads', (raw): Kept | null =>
  typeof raw === 'object' && raw !== null && 'userId' in raw && 'state' in raw ? (raw as Kept) : null,
);

const isKept = ({ queryKey: [path], state }: Query): boolean =>
  keptPaths.some((each) => each === path) &&
  state.data !== undefined &&
  Date.now() - state.dataUpdatedAt < keptForMs;

function write(): void {
  const userId = readSession().id;
  if (userId === '') return;
  const state = dehydrate(queryClient, {
    shouldDehydrateQuery: isKept,
    shouldDehydrateMutation: () => false,
  });
  // The newest first; what does not fit any more is left out.
  let letters = 0;
  state.queries = state.queries
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .filter((query) => {
      letters += JSON.stringify(query.state.data).length;
      return letters < mostLetters;
    });
  kept.write({ userId, state });
}

/** Takes up what was last read, and keeps what is read from here on. Called once, before the first screen. */
export function startKeptReads(): void {
  for (const path of keptPaths) queryClient.setQueryDefaults([path], { gcTime: keptForMs });
  const found = kept.read();
  if (found !== null && found.userId === readSession().id) {
    hydrate(queryClient, found.state);
    queryClient.removeQueries({
      predicate: ({ state }) => Date.now() - state.dataUpdatedAt >= keptForMs,
    });
    // It is shown while it is read anew, however fresh it looks.
    void queryClient.invalidateQueries({ refetchType: 'none' });
  } else if (found !== null) kept.write(null);

  let timer: ReturnType<typeof setTimeout> | null = null;
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || timer !== null || !isKept(query)) return;
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
