import { sql } from 'drizzle-orm';
import type { BuiltApp } from '../server/app.ts';
import { ridesChanged } from '../server/features/alerts/match-changes.ts';
import { createAlert } from '../server/features/alerts/save-alert.ts';
import { hourMs, later, minuteMs } from '../server/platform/clock.ts';
import { alertHits, alertWindows } from '../server/schema/alerts.ts';
import { users } from '../server/schema/identity.ts';
import { rides } from '../server/schema/rides.ts';
import { drawCrowd } from '../server/testing/crowd.ts';
import { randomFrom } from '../server/testing/random.ts';
import { inBenchApp, rounded, say } from './bench-app.ts';

/** Alerts that each person has saved. */
const perPerson = 2;

/**
 * How long rides that are published together wait for the alerts of one dense town: `--count` (default 4,000)
 * passengers' alerts with windows in the same two hours, and `--rides` (default 50) rides of those hours that
 * are heard of in one batch, as the listener of alerts does. Emails are left out.
 */
export async function benchAlerts(options: Record<string, string>): Promise<Record<string, number>> {
  const count = Number(options['count'] ?? 4000);
  const rideCount = Number(options['rides'] ?? 50);
  return inBenchApp(async (app) => {
    const startsAt = later(app.clock.now(), 12 * hourMs);
    app.clock.moveTo(startsAt);
    say(`Drawing ${rideCount} rides, saving ${count} alerts …`);
    const people = Math.max(2 * rideCount, Math.ceil(count / perPerson));
    await drawCrowd(app, { people, rides: rideCount, requests: 0, joined: 0, hours: 2, seed: 1 });
    await saveAlerts(app, { count, startsAt });
    await app.platform.db.execute(sql`analyze`);
    const { db } = app.platform;
    const changed = (await db.select().from(rides)).map(({ id }) => ({ id, at: startsAt }));
    say(`Matching ${changed.length} rides …`);
    const began = performance.now();
    const cpu = process.cpuUsage();
    await ridesChanged(app.platform, changed);
    const ms = performance.now() - began;
    const { user, system } = process.cpuUsage(cpu);
    const beganAgain = performance.now();
    await ridesChanged(app.platform, changed);
    const againMs = performance.now() - beganAgain;
    return {
      alerts: count,
      windows: await db.$count(alertWindows),
      rides: changed.length,
      ms: rounded(ms),
      msPerRide: rounded(ms / changed.length),
      msPerRideAgain: rounded(againMs / changed.length),
      processMs: rounded((user + system) / 1000),
      hits: await db.$count(alertHits),
      alertsHit: (await db.selectDistinct({ id: alertHits.alertId }).from(alertHits)).length,
    };
  });
}

/** Alerts between places near those of the rides, each for one window of half an hour to two hours. */
async function saveAlerts(app: BuiltApp, of: { count: number; startsAt: Date }): Promise<void> {
  const { db } = app.platform;
  const random = randomFrom(2);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const owners = (await db.select({ id: users.id }).from(users)).map(({ id }) => id);
  const ways = await db.select().from(rides);
  const near = (lon: number, lat: number) => ({
    name: 'Somewhere',
    detail: '',
    lon: lon + (random() - 0.5) * 0.02,
    lat: lat + (random() - 0.5) * 0.02,
  });
  for (let saved = 0; saved < of.count;) {
    const [from, to] = [pick(ways), pick(ways)];
    const earliestAt = later(of.startsAt, (1 + random() * 2) * hourMs);
    try {
      await createAlert(app.platform, owners[saved % owners.length]!, {
        role: 'passenger',
        from: near(from.fromLon, from.fromLat),
        to: near(to.toLon, to.toLat),
        times: {
          kind: 'once',
          earliestAt: earliestAt.toISOString(),
          latestAt: later(earliestAt, pick([30, 60, 120]) * minuteMs).toISOString(),
        },
        preferences: { pets: false, luggage: false, quiet: false, women: false },
        seats: 1,
        offerCents: null,
        walkMetres: 600,
      });
      saved++;
    } catch (error) {
      // The draw met a place that no road leads to, or one twice.
      if (!(error instanceof Error && 'reason' in error)) throw error;
    }
  }
}
