import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { appBuild, config, version } from '#contract/app/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { call } from './api.ts';
import { setServerNow } from './clock.ts';
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

/** Whether the server serves a newer version than this page runs. */
export function useNewerVersion(): boolean {
  const { data } = useCall(
    version,
    {},
    { quiet: true, staleTime: 10 * 60_000, refetchInterval: 30 * 60_000 },
  );
  return data !== undefined && data.build > appBuild;
}
