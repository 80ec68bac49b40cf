import { everything } from '../server/features/matching/rank-fits.ts';
import { ridesForRequest } from '../server/features/matching/find-fits.ts';
import { requests, rides } from '../server/schema/rides.ts';
import { bruteForceMatches } from '../server/testing/brute-force-matches.ts';
import { drawCrowd } from '../server/testing/crowd.ts';
import { inBenchApp, percentile, rounded, say } from './bench-app.ts';

/**
 * Seven o'clock in Santa Cruz on a Monday to come: the rides leave in the peak of the morning and after it.
 */
function mondayMorning(): Date {
  const at = new Date();
  at.setUTCDate(at.getUTCDate() + 1 + ((7 - at.getUTCDay()) % 7));
  at.setUTCHours(15, 0, 0, 0);
  return at;
}

/**
 * How long it takes to answer "which rides fit me" on the region, and whether the answer is exactly what
 * trying everything finds: `missed` pairs are feasible and not found, `extra` are found and not feasible.
 */
export async function benchMatching(options: {
  rides?: string;
  requests?: string;
  seed?: string;
}): Promise<Record<string, number>> {
  const size = {
    rides: Number(options.rides ?? 1000),
    requests: Number(options.requests ?? 300),
    seed: Number(options.seed ?? 1),
  };
  return inBenchApp(async (app) => {
    app.clock.moveTo(mondayMorning());
    say(`Drawing ${size.rides} rides and ${size.requests} requests on the region's roads …`);
    await drawCrowd(app, {
      people: size.rides + size.requests,
      joined: Math.round(size.requests / 3),
      hours: 8,
      ...size,
    });
    const { db } = app.platform;
    const open = (await db.select().from(requests)).filter((request) => request.state === 'matching');
    const offered = (await db.select().from(rides)).filter((ride) => ride.state === 'matching');
    const offers = offered.length;
    const search = (request: (typeof open)[number]) => ridesForRequest(app.platform, request, everything);
    for (const request of open.slice(0, 20)) await search(request);

    say(`Answering ${open.length} requests …`);
    const tookMs: number[] = [];
    const found = new Map<string, Map<string, number>>();
    for (const request of open) {
      const startedAt = performance.now();
      const { fits } = await search(request);
      tookMs.push(performance.now() - startedAt);
      found.set(request.id, new Map(fits.map((fit) => [fit.ride.id, fit.insertion.detourMs])));
    }

    say('Trying everything, without any pruning, for comparison …');
    const expected = await bruteForceMatches(app, open);
    let [feasible, missed, extra, detourMismatches] = [0, 0, 0, 0];
    for (const request of open) {
      const [ours, theirs] = [found.get(request.id)!, expected.get(request.id)!];
      feasible += theirs.size;
      for (const [rideId, detourMs] of theirs) {
        if (!ours.has(rideId)) missed++;
        else if (ours.get(rideId) !== detourMs) detourMismatches++;
      }
      for (const rideId of ours.keys()) if (!theirs.has(rideId)) extra++;
    }
    return {
      offers,
      slowestPermille: Math.max(...offered.map(({ trafficPermille }) => trafficPermille)),
      requests: open.length,
      p50Ms: rounded(percentile(tookMs, 0.5)),
      p99Ms: rounded(percentile(tookMs, 0.99)),
      missed,
      extra,
      detourMismatches,
      feasible,
    };
  });
}
