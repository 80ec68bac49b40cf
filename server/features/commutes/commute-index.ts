import { randomUUID } from 'node:crypto';
import { dayMs, later } from '../../platform/clock.ts';
import { areasOnLine } from '../geo/service.ts';
import { defaultMaxDetourMs } from '../matching/service.ts';
import type { CommutesContext } from './context.ts';
import { commutesOf, type Commute } from './rules/commutes.ts';
import * as store from './store.ts';
import { travelRecords } from './travel-records.ts';
import { takesPart } from '../identity/queries.ts';

/** Orders of this many past days count toward a person's commutes. */
const lookBackDays = 28;
/** Most people per run of the scheduled task; the rest follow in the next run. */
const mostAtOnce = 60;

/** Scheduled task: computes the commutes of people whose orders changed, and of those who are due. */
export async function catchUp(context: CommutesContext): Promise<void> {
  const { db, transact, clock, log } = context.platform;
  await transact((tx) => store.takeChanges(tx, clock.now()));
  for (const personId of await store.duePeople(db, clock.now(), mostAtOnce))
    // A person whose computation fails is retried in the next run and does not block the others.
    await renewCommutes(context, personId).catch((error: unknown) =>
      log.error({ err: error, personId }, 'the commutes of a person failed'),
    );
}

/** Recomputes the commutes of one person, unless another process does. */
async function renewCommutes(context: CommutesContext, personId: string): Promise<void> {
  const { transact, clock } = context.platform;
  await transact(async (tx) => {
    const now = clock.now();
    if (!(await store.holdDue(tx, personId, now))) return;
    const since = later(now, -lookBackDays * dayMs);
    const records = (await takesPart(tx, personId))
      ? travelRecords(context.geo, await store.travelsOf(tx, personId, since, now))
      : [];
    const rows = commutesOf(records).flatMap((commute) => rowOf(context, personId, commute) ?? []);
    // Past days expire, hence the daily recomputation; a person without commutes is due when an order of
    // theirs changes.
    await store.replaceRoutes(tx, personId, rows, rows.length === 0 ? null : later(now, dayMs));
  });
}

/** A commute with its drive; null where no road leads (any more). */
function rowOf({ geo, matching }: CommutesContext, personId: string, commute: Commute): store.WayRow | null {
  const { from, to, tagIds, maxDetourMs, ...rest } = commute;
  const [start, end] = [matching.pointAt(from), matching.pointAt(to)];
  const route = start === null || end === null ? null : geo.network.route(start, end);
  if (route === null) return null;
  return {
    id: randomUUID(),
    personId,
    ...rest,
    tagIds: [...tagIds],
    fromLabel: geo.areaOf(from).label,
    toLabel: geo.areaOf(to).label,
    fromLon: from.lon,
    fromLat: from.lat,
    toLon: to.lon,
    toLat: to.lat,
    driveMs: route.milliseconds,
    maxDetourMs: maxDetourMs ?? defaultMaxDetourMs(route.milliseconds),
    corridor: areasOnLine([[from.lon, from.lat], ...route.line, [to.lon, to.lat]]),
  };
}
