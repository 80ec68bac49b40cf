import { useEffect } from 'react';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { appBuild, config, version } from '#contract/app/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { call } from './api.ts';
import { setServerNow } from './clock.ts';
import { lookForNewer, useWaitingVersion } from './installed-app.ts';
import { keyOf, useCall } from './queries.ts';
import { queryClient } from './query-client.ts';

export type Config = OutputOf<typeof config>;

const configQuery = {
  queryKey: keyOf(config, {}),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Config> => {
    const answer = await call(config, {}, { signal, quiet: true });
    setServerNow(answer.now);
    return answer;
  },
  staleTime: 60 * 60_000,
};

/** What this installation is: region, map, demo, limits. Also sets the clock. */
export function useConfig(): UseQueryResult<Config> {
  return useQuery(configQuery);
}

/** Starts reading the configuration before the first component asks for it. */
export function prefetchConfig(): void {
  void queryClient.prefetchQuery(configQuery);
}

/** Whether there is a newer version than this page runs: one that has been fetched and waits, or one on the server. */
export function useNewerVersion(): boolean {
  const waits = useWaitingVersion();
  const { data } = useCall(
    version,
    {},
    { quiet: true, staleTime: 10 * 60_000, refetchInterval: 30 * 60_000 },
  );
  const served = data !== undefined && data.build > appBuild;
  useEffect(() => {
    if (served) lookForNewer();
  }, [served]);
  return waits || served;
}
