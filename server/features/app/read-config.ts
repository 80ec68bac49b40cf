import { appBuild, appVersion, type config } from '#contract/app/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { secondMs } from '../../platform/clock.ts';
import type { Platform } from '../../platform/platform.ts';
import { demoAccounts, demoPassword, showsOutbox } from '../demo/service.ts';
import { searchIndex } from '../matching/service.ts';
import { packInfos, regionInfo } from '../geo/service.ts';

type Config = OutputOf<typeof config>;

/** The version of this process, and whether it answers searches. */
export const readVersion = (app: App) => ({
  version: appVersion,
  build: appBuild,
  ready: searchIndex(app).isReady,
});

/** What the web app needs to know before a person signs in. */
export const readConfig = (app: App): Config => ({
  now: app.clock.now().toISOString(),
  ...installationOf(app),
});

/**
 * The same for the HTML of a page, which a browser may cache: instead of the time, by how many seconds the
 * clock is ahead of the real time.
 */
export const configInPage = (app: App) => ({
  ...installationOf(app),
  clockAheadMs: Math.round((app.clock.now().getTime() - Date.now()) / secondMs) * secondMs,
});

function installationOf(app: App): Omit<Config, 'now'> {
  const { env } = app;
  const { name, title, timeZone, bounds, center, attribution } = regionInfo(app);
  const packs = packInfos(app).map((pack) => ({
    name: pack.name,
    title: pack.title,
    bounds: pack.bounds,
    mapBounds: pack.mapBounds ?? pack.bounds,
    coast: pack.hasSea === true ? ('tiles' as const) : pack.hasLand ? ('land' as const) : null,
  }));
  return {
    demo: env.DEMO,
    mailOutbox: showsOutbox(env),
    region: { name, title, timeZone, bounds, center, attribution, packs },
    tilesUrl: env.TILES_URL ?? null,
    advisedCentsPerMile: env.ADVISED_CENTS_PER_MILE,
    maxTransactionCents: env.MAX_TRANSACTION_CENTS,
    strikes: {
      withinHours: env.STRIKE_WITHIN_HOURS,
      months: env.STRIKE_MONTHS,
      forReview: env.STRIKES_FOR_REVIEW,
      forSuspension: env.STRIKES_FOR_SUSPENSION,
    },
    demoSignIns: demoSignInsOf(env),
  };
}

/**
 * The accounts that a visitor may sign in with; a demo that other machines can reach leaves out the admin.
 */
const demoSignInsOf = ({ DEMO, isPublicDemo }: Platform['env']): Config['demoSignIns'] =>
  demoAccounts
    .filter(({ role }) => DEMO && !(isPublicDemo && role === 'admin'))
    .map((account) => ({ ...account, password: demoPassword }));
