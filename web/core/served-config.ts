import type { config } from '#contract/app/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';

/**
 * What the page's HTML contains: the configuration, and by how much the installation's clock is ahead of the
 * real time, for example in a demo.
 */
type Served = Omit<OutputOf<typeof config>, 'now'> & { clockAheadMs: number };

/** The configuration as of now; null if the HTML has none, as in a page cached by a service worker. */
export function servedConfig(): OutputOf<typeof config> | null {
  const text = document.getElementById('config')?.textContent;
  if (text === undefined || text === null) return null;
  const { clockAheadMs, ...rest } = JSON.parse(text) as Served;
  return { ...rest, now: new Date(Date.now() + clockAheadMs).toISOString() };
}

/** The same for the app, once: later, the clock of a demo may have moved. */
export function takeServedConfig(): OutputOf<typeof config> | null {
  const served = servedConfig();
  document.getElementById('config')?.remove();
  return served;
}
