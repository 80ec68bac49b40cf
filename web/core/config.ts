import { useEffect, useState } from 'react';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { appBuild, config, version } from '#contract/app/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { paymentConfig } from '#contract/payments/endpoints.ts';
import { call } from './api.ts';
import { setServerNow } from './clock.ts';
import { afterFirstScreen } from './first-screen.ts';
import { lookForNewer, useWaitingVersion } from './installed-app.ts';
import { keyOf, useCall } from './queries.ts';
import { queryClient } from './query-client.ts';
import { takeServedConfig } from './served-config.ts';

export type Config = OutputOf<typeof config>;

/** A first visit waits this long for what its screen is drawn by. */
const firstVisitMs = 1000;

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

/**
 * Starts reading the configuration before the first component asks for it. The configuration in the page's
 * HTML is as new as the page: it is read again when the first screen is there, for a device whose clock is
 * wrong. Where neither that nor an earlier visit has it, the app waits a moment for it, so that the bar of a
 * demo does not push the page down later.
 */
export async function prefetchConfig(): Promise<void> {
  const { queryKey } = configQuery;
  const served = takeServedConfig();
  if (served !== null) {
    setServerNow(served.now);
    queryClient.setQueryData(queryKey, served);
    void afterFirstScreen().then(() => queryClient.refetchQueries({ queryKey }));
    return;
  }
  const read = queryClient.prefetchQuery(configQuery);
  if (queryClient.getQueryData(queryKey) === undefined)
    await Promise.race([read, new Promise((resolve) => setTimeout(resolve, firstVisitMs))]);
}

/** Reads what pages without a connection will need; what is known the page that shows it reads again. */
export function prefetchFigures(): void {
  const queryKey = keyOf(paymentConfig, {});
  if (queryClient.getQueryData(queryKey) !== undefined) return;
  void queryClient.prefetchQuery({ queryKey, queryFn: () => call(paymentConfig, {}, { quiet: true }) });
}

/**
 * Whether there is a newer version than this page runs: one that has been fetched and waits, or one on the
 * server.
 */
export function useNewerVersion(): boolean {
  const waits = useWaitingVersion();
  const [looks, setLooks] = useState(false);
  useEffect(() => void afterFirstScreen().then(() => setLooks(true)), []);
  const { data } = useCall(
    version,
    {},
    { enabled: looks, quiet: true, staleTime: 10 * 60_000, refetchInterval: 30 * 60_000 },
  );
  const served = data !== undefined && data.build > appBuild;
  useEffect(() => {
    if (served) lookForNewer();
  }, [served]);
  return waits || served;
}
