import { appBuild, appVersion, type config } from '#contract/app/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { secondMs } from '../../platform/clock.ts';
import type { Platform } from '../../platform/platform.ts';
import { demoAccounts, demoPassword, showsOutbox } from '../demo/service.ts';
import { packInfos, regionInfo } from '../geo/service.ts';
import type { MatchingService } from '../matching/service.ts';

type Config = OutputOf<typeof config>;

export type AppService = ReturnType<typeof createAppInfo>;

/** The configuration and version of this installation. */
export function createAppInfo(app: App, { index }: Pick<MatchingService, 'index'>) {
  const { env, clock } = app;
  const { name, title, timeZone, bounds, center, attribution } = regionInfo(app);
  const parts = packInfos(app).map((pack) => ({
    name: pack.name,
    title: pack.title,
    bounds: pack.bounds,
    mapBounds: pack.mapBounds ?? pack.bounds,
    coast: pack.hasSea === true ? ('tiles' as const) : pack.hasLand ? ('land' as const) : null,
  }));
  const installation: Omit<Config, 'now'> = {
    demo: env.DEMO,
    mailOutbox: showsOutbox(env),
    region: { name, title, timeZone, bounds, center, attribution, packs: parts },
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
  return {
    version: () => ({ version: appVersion, build: appBuild, ready: index.isReady }),

    /** What the web app needs to know before a person signs in. */
    config: (): Config => ({ now: clock.now().toISOString(), ...installation }),

    /**
     * The same for the HTML of a page, which a browser may cache: instead of the time, by how many seconds
     * the clock is ahead of the real time.
     */
    configInPage: () => ({
      ...installation,
      clockAheadMs: Math.round((clock.now().getTime() - Date.now()) / secondMs) * secondMs,
    }),
  };
}

/**
 * The accounts that a visitor may sign in with; a demo that other machines can reach leaves out the admin.
 */
const demoSignInsOf = ({ DEMO, isPublicDemo }: Platform['env']): Config['demoSignIns'] =>
  demoAccounts
    .filter(({ role }) => DEMO && !(isPublicDemo && role === 'admin'))
    .map((account) => ({ ...account, password: demoPassword }));
