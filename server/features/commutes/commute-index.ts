import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LonLat } from '#roads/graph/geometry.ts';
import type { App } from '../../app-type.ts';
import { dayMs, later } from '../../platform/clock.ts';
import { areasOnLine, areaOf, roadNetwork, pointAt } from '../geo/service.ts';
import { defaultMaxDetourMs } from '../matching/service.ts';
import { commutesOf, type Commute } from './rules/commutes.ts';
import type { CommuteDrive } from './state.ts';
import * as store from './store.ts';
import { travelRecords } from './travel-records.ts';

/** Orders of this many past days count toward a person's commutes. */
const lookBackDays = 28;
/** Most people per run of the scheduled task; the rest follow in the next run. */
const mostAtOnce = 60;
/** Maximum people whose orders are read together. */
const mostTogether = 20;

/** Scheduled task: computes the commutes of people whose orders changed, and of those who are due. */
export async function catchUp(app: App): Promise<void> {
  const { db, clock, log } = app;
  const due = await store.duePeople(db, clock.now(), mostAtOnce);
  for (let first = 0; first < due.length; first += mostTogether) {
    const some = due.slice(first, first + mostTogether);
    try {
      await renewCommutes(app, some);
    } catch {
      // One person's computation fails the transaction of all. In transactions of their own the others are
      // done, and that person is retried in the next run.
      for (const personId of some)
        await renewCommutes(app, [personId]).catch((error: unknown) =>
          log.error({ err: error, personId }, 'the commutes of a person failed'),
        );
    }
  }
}

/** Recomputes the commutes of some people together; skips people whom another process has locked. */
async function renewCommutes(app: App, personIds: readonly string[]): Promise<void> {
  const { transact, clock } = app;
  await transact('renew commutes', async (tx) => {
    const now = clock.now();
    const held = await store.holdDue(tx, personIds, now);
    if (held.length === 0) return;
    const active = held.flatMap(({ personId, takesPart }) => (takesPart ? personId : []));
    const since = later(now, -lookBackDays * dayMs);
    const travels = active.length === 0 ? null : await store.travelsOf(tx, active, since, now);
    const rows: store.CommuteRow[] = [];
    for (const personId of active) {
      const commutes = commutesOf(travelRecords(app, ofPerson(travels!, personId)));
      rows.push(...commutes.flatMap((commute) => rowOf(app, personId, commute) ?? []));
      // Each takes a drive on the roads: the calls of people go on between two.
      await nextTurn();
    }
    // Past days expire, hence the daily recomputation; a person without commutes is due when an order of
    // theirs changes.
    const heldIds = held.map(({ personId }) => personId);
    await store.replaceCommutes(tx, heldIds, rows, later(now, dayMs));
  });
}

/** Of the travels of several people those of one. */
function ofPerson({ running, driven, ridden, awaited }: store.Travels, personId: string): store.Travels {
  const isTheirs = ({ ownerId }: { ownerId: string }) => ownerId === personId;
  return {
    running: running.filter(isTheirs),
    driven: driven.filter(isTheirs),
    ridden: ridden.filter(isTheirs),
    awaited: awaited.filter(isTheirs),
  };
}

/** A commute with its drive; null where no road leads (any more). */
function rowOf(app: App, personId: string, commute: Commute): store.CommuteRow | null {
  const { from, to, tagIds, maxDetourMs, ...rest } = commute;
  const ends = `${from.lon},${from.lat} ${to.lon},${to.lat}`;
  const drive = app.commutes.drives.get(ends) ?? driveOf(app, from, to) ?? 'none';
  app.commutes.drives.set(ends, drive);
  if (drive === 'none') return null;
  return {
    id: randomUUID(),
    personId,
    ...rest,
    ...drive,
    tagIds: [...tagIds],
    fromLabel: areaOf(app, from).label,
    toLabel: areaOf(app, to).label,
    fromLon: from.lon,
    fromLat: from.lat,
    toLon: to.lon,
    toLat: to.lat,
    maxDetourMs: maxDetourMs ?? defaultMaxDetourMs(drive.driveMs),
  };
}

function driveOf(app: App, from: LonLat, to: LonLat): CommuteDrive | null {
  const [start, end] = [pointAt(app, from), pointAt(app, to)];
  const route = start === null || end === null ? null : roadNetwork(app).route(start, end);
  if (route === null) return null;
  return {
    driveMs: route.milliseconds,
    corridor: areasOnLine([[from.lon, from.lat], ...route.line, [to.lon, to.lat]]),
  };
}
