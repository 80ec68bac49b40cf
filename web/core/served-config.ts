import type { config } from '#contract/app/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';

/**
 * What the page's HTML says of this installation: its configuration, and by how much its clock is ahead of
 * the real time, as a demo's may be.
 */
type Served = Omit<OutputOf<typeof config>, 'now'> & { clockAheadMs: number };

/** The configuration as of now; null where the HTML holds none, such as the one a service worker keeps. */
export function servedConfig(): OutputOf<typeof config> | null {
  const text = document.getElementById('config')?.textContent;
  if (text === undefined || text === null) return null;
  const { clockAheadMs, ...rest } = JSON.parse(text) as Served;
  return { ...rest, now: new Date(Date.now() + clockAheadMs).toISOString() };
}

/** The same for the app, once: later the clock of a demo may have been moved. */
export function takeServedConfig(): OutputOf<typeof config> | null {
  const served = servedConfig();
  document.getElementById('config')?.remove();
  return served;
}
