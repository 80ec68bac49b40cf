import type { popularWays } from '#contract/discover/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { areaSpans } from '../geo/service.ts';
import * as store from './store.ts';
import { viewCountedCommute } from './view.ts';

const pageSize = 20;
/** Commutes that begin within about 25 kilometers of a point are around it. */
const aroundDegrees = { lon: 0.28, lat: 0.22 };

/** Commutes from around a point that many people share, most people first. */
export async function listPopularCommutes(
  app: App,
  at: { lon: number; lat: number },
  viewerId: string | null,
  offset: number,
): Promise<OutputOf<typeof popularWays>> {
  const { lagging, env } = app;
  const fewest = env.DISCOVER_FEWEST_PEOPLE;
  const spans = areaSpans(at, aroundDegrees);
  // Worked out by the clock, some time after what it is drawn from.
  const { rows, total } = await lagging.read((db) =>
    store.countedCommutes(db, { spans, fewest, viewerId, offset, limit: pageSize }),
  );
  return { ways: rows.map((row) => viewCountedCommute(app, row)), total, fewest };
}
