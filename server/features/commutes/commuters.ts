import type { popularWays, Companion, OwnWay } from '#contract/discover/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { roundedPoint } from '#contract/units.ts';
import type { App } from '../../app-type.ts';
import { contactIds } from '../contacts/service.ts';
import { areaSpans, areaAt, areasAround, leastDegreesBeyond, roadNetwork, pointAt } from '../geo/service.ts';
import { peopleByIds } from '../identity/service.ts';
import { betweenRounded } from '../matching/service.ts';
import { openOrdersOfPeople, type OpenOrder } from '../orders/audience/queries.ts';
import { sharedCommuteOf, type Ends, type SharedCommute } from './rules/shared-commute.ts';
import * as store from './store.ts';
import { viewCountedCommute, viewCompanion, viewOwnCommute } from './view.ts';

const popularPageSize = 20;
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
    store.countedCommutes(db, { spans, fewest, viewerId, offset, limit: popularPageSize }),
  );
  return { ways: rows.map((row) => viewCountedCommute(app, row)), total, fewest };
}

const pageSize = 20;
/** Most own commutes that are compared, and most commutes of others for all of them together. */
const mostOwn = 10;
const mostJudged = 300;
/** Rings of areas around a drive in which others may start and end: about three kilometers. */
const rings = 2;
/**
 * People wait up to half an hour for each other; the rest is the longer of two drives, from one person's
 * start to the other's.
 */
const patienceMinutes = 30;
const longestDriveMinutes = 120;

interface Found {
  own: store.CommuteRow;
  other: store.CommuteRow;
  shared: SharedCommute;
}

/**
 * A person's weekly commutes, and other people with similar ones: one entry per person, by the commute they
 * share on the most days and with the least detour.
 */
export async function listCommuters(
  app: App,
  viewerId: string,
  offset: number,
): Promise<{ ways: OwnWay[]; people: Companion[]; total: number }> {
  const { db } = app;
  const own = (await store.regularCommutesOf(db, viewerId)).slice(0, mostOwn);
  const limit = Math.ceil(mostJudged / Math.max(1, own.length));
  const found = (await Promise.all(own.map((each) => findNear(app, each, limit)))).flat();
  const best = new Map<string, Found>();
  for (const each of found.toSorted(byWorth))
    if (!best.has(each.other.personId)) best.set(each.other.personId, each);
  const ranked = [...best.values()];
  return {
    ways: own.map((commute) => viewOwnCommute(app, commute)),
    people: await companionsOf(app, viewerId, ranked.slice(offset, offset + pageSize)),
    total: ranked.length,
  };
}

/** The people found, as the viewer may see them. */
async function companionsOf(app: App, viewerId: string, page: readonly Found[]): Promise<Companion[]> {
  const personIds = page.map(({ other }) => other.personId);
  const [people, known, orders] = await Promise.all([
    peopleByIds(app, personIds),
    contactIds(app.db, viewerId),
    openOrdersOfPeople(app.db, personIds, viewerId, app.clock.now()),
  ]);
  const contacts = new Set(known);
  return page.flatMap(({ own, other, shared }) => {
    const person = people.get(other.personId);
    if (person === undefined) return [];
    const isContact = contacts.has(person.id);
    const next = nextOf(other, orders);
    return [viewCompanion(app, { commute: other, shared, person, isContact, wayId: own.id, next })];
  });
}

/**
 * Finds commutes that start and end near the viewer's, and compares them. Reads those of the next areas
 * first: where there are enough, none beyond them is nearer. Only if there are too few in all rings does it
 * read all those along the drive, which in a dense town are most commutes.
 */
async function findNear(app: App, own: store.CommuteRow, limit: number): Promise<Found[]> {
  const { db } = app;
  const about = (area: number) => areasAround(area, rings);
  const near = {
    atStart: about(own.fromArea),
    atEnd: about(own.toArea),
    withinMinutes:
      patienceMinutes + Math.min(longestDriveMinutes, Math.ceil(own.driveMs / 60_000) + patienceMinutes),
    limit,
  };
  const nextDoor = await store.weeklyCommutesAtEnds(db, own, {
    ...near,
    atStart: areasAround(own.fromArea, 1),
    atEnd: areasAround(own.toArea, 1),
    withinDegrees: leastDegreesBeyond(1, own.fromLat),
  });
  if (nextDoor.length === limit) return judge(app, own, nextDoor);
  const neighbors = await store.weeklyCommutesAtEnds(db, own, near);
  if (neighbors.length === limit) return judge(app, own, neighbors);
  const along = [...new Set(own.corridor.flatMap(about))];
  return judge(app, own, await store.weeklyCommutesNear(db, own, { ...near, along }));
}

/** Compares the commutes of others with one's own by real drives: four searches for any number of them. */
function judge(app: App, own: store.CommuteRow, others: readonly store.CommuteRow[]): Found[] {
  const [start, end] = [pointAt(app, startOf(own)), pointAt(app, endOf(own))];
  if (start === null || end === null || others.length === 0) return [];
  const network = roadNetwork(app);
  const [fromStart, toEnd] = [network.travelFrom(start), network.travelTo(end)];
  const [toStart, fromEnd] = [network.travelTo(start), network.travelFrom(end)];
  return others.flatMap((other) => {
    const [from, to] = [roundedPoint(startOf(other)), roundedPoint(endOf(other))];
    const [theirStart, theirEnd] = [pointAt(app, from), pointAt(app, to)];
    if (theirStart === null || theirEnd === null) return [];
    const ends = (toMs: number | undefined, fromMs: number | undefined): Ends | null =>
      toMs === undefined || fromMs === undefined ? null : { toStartMs: toMs, fromEndMs: fromMs };
    const shared = sharedCommuteOf(
      own,
      { ...other, driveMs: betweenRounded(app, from, to).milliseconds },
      ends(fromStart(theirStart)?.milliseconds, toEnd(theirEnd)?.milliseconds),
      ends(toStart(theirStart)?.milliseconds, fromEnd(theirEnd)?.milliseconds),
    );
    return shared === null ? [] : [{ own, other, shared }];
  });
}

/** The order on a commute's next day, if the viewer may see one. */
function nextOf(commute: store.CommuteRow, orders: readonly OpenOrder[]): OpenOrder | null {
  return (
    orders.find((order) => {
      const { personId, role, women } = commute;
      if (order.personId !== personId || order.role !== role || order.women !== women) return false;
      if (commute.recurringId !== null) return order.recurringId === commute.recurringId;
      const [from, to] = [areaAt(order.from), areaAt(order.to)];
      return from === commute.fromArea && to === commute.toArea;
    }) ?? null
  );
}

const startOf = ({ fromLon: lon, fromLat: lat }: store.CommuteRow) => ({ lon, lat });
const endOf = ({ toLon: lon, toLat: lat }: store.CommuteRow) => ({ lon, lat });

const daysIn = (mask: number): number => mask.toString(2).replaceAll('0', '').length;

/** Most days first; then a driver with a passenger before two of the same role; then the least detour. */
const byWorth = (a: Found, b: Found): number =>
  daysIn(b.shared.days) - daysIn(a.shared.days) ||
  Number(a.own.role === a.other.role) - Number(b.own.role === b.other.role) ||
  a.shared.detourMs - b.shared.detourMs ||
  a.other.id.localeCompare(b.other.id);
