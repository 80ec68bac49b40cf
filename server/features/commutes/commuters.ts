import type { Companion, OwnWay } from '#contract/discover/endpoints.ts';
import { roundedPoint } from '#contract/units.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ContactsService } from '../contacts/service.ts';
import { areaAt, areasAround, type GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { MatchingService } from '../matching/service.ts';
import { companyOf, type Company, type Ends } from './rules/company.ts';
import * as store from './store.ts';
import { viewCompanion, viewOwnWay } from './view.ts';

const pageSize = 20;
/** So many ways of one's own are looked at, and so many of others for all of them together. */
const mostOwnWays = 10;
const mostJudged = 300;
/** Rings of areas about a drive in which others may start and end: a good three kilometres. */
const rings = 2;
/** People wait for each other half an hour; the rest is the longer of two drives, until one is where the other starts. */
const patienceMinutes = 30;
const longestDriveMinutes = 120;

interface Found {
  own: store.WayRow;
  way: store.WayRow;
  company: Company;
}

/** Who goes somebody's way every week. */
export function createCommuters(
  { db, clock }: Platform,
  features: {
    geo: GeoService;
    identity: IdentityService;
    contacts: ContactsService;
    matching: MatchingService;
  },
) {
  const { geo, identity, contacts, matching } = features;
  const { network } = geo;

  /** Judges the ways of others against one's own by real drives: four searches, however many they are. */
  function judge(own: store.WayRow, others: readonly store.WayRow[]): Found[] {
    const [start, end] = [matching.pointAt(startOf(own)), matching.pointAt(endOf(own))];
    if (start === null || end === null || others.length === 0) return [];
    const [fromStart, toEnd] = [network.travelFrom(start), network.travelTo(end)];
    const [toStart, fromEnd] = [network.travelTo(start), network.travelFrom(end)];
    return others.flatMap((way) => {
      const [from, to] = [roundedPoint(startOf(way)), roundedPoint(endOf(way))];
      const [theirStart, theirEnd] = [matching.pointAt(from), matching.pointAt(to)];
      if (theirStart === null || theirEnd === null) return [];
      const ends = (toMs: number | undefined, fromMs: number | undefined): Ends | null =>
        toMs === undefined || fromMs === undefined ? null : { toStartMs: toMs, fromEndMs: fromMs };
      const company = companyOf(
        own,
        { ...way, driveMs: matching.betweenRounded(from, to).milliseconds },
        ends(fromStart(theirStart)?.milliseconds, toEnd(theirEnd)?.milliseconds),
        ends(toStart(theirStart)?.milliseconds, fromEnd(theirEnd)?.milliseconds),
      );
      return company === null ? [] : [{ own, way, company }];
    });
  }

  async function around(own: store.WayRow, limit: number): Promise<Found[]> {
    const about = (area: number) => areasAround(area, rings);
    const others = await store.weeklyWaysNear(db, own, {
      along: [...new Set(own.corridor.flatMap(about))],
      atStart: about(own.fromArea),
      atEnd: about(own.toArea),
      withinMinutes:
        patienceMinutes + Math.min(longestDriveMinutes, Math.ceil(own.driveMs / 60_000) + patienceMinutes),
      limit,
    });
    return judge(own, others);
  }

  /** The order that is the next day of a way, where there is one for the viewer to see. */
  function nextOf(way: store.WayRow, orders: readonly store.OpenOrder[]): store.OpenOrder | null {
    return (
      orders.find((order) => {
        if (order.personId !== way.personId || order.role !== way.role || order.women !== way.women)
          return false;
        if (way.seriesId !== null) return order.seriesId === way.seriesId;
        const [from, to] = [areaAt(order.from), areaAt(order.to)];
        return from === way.fromArea && to === way.toArea;
      }) ?? null
    );
  }

  return {
    /**
     * A person's weekly ways, and who else takes them: one entry a person, by the way that brings them together most
     * often and with the least detour.
     */
    async of(
      viewerId: string,
      offset: number,
    ): Promise<{ ways: OwnWay[]; people: Companion[]; total: number }> {
      const own = (await store.regularWaysOf(db, viewerId)).slice(0, mostOwnWays);
      const limit = Math.ceil(mostJudged / Math.max(1, own.length));
      const found = (await Promise.all(own.map((each) => around(each, limit)))).flat();
      const best = new Map<string, Found>();
      for (const each of found.toSorted(byWorth))
        if (!best.has(each.way.personId)) best.set(each.way.personId, each);
      const ranked = [...best.values()];
      const page = ranked.slice(offset, offset + pageSize);
      const personIds = page.map(({ way }) => way.personId);
      const [people, known, orders] = await Promise.all([
        identity.people(personIds),
        contacts.contactIds(viewerId),
        store.openOrdersOf(db, personIds, viewerId, clock.now()),
      ]);
      const contactIds = new Set(known);
      return {
        ways: own.map((way) => viewOwnWay(way, geo)),
        people: page.flatMap(({ own: { id }, way, company }) => {
          const person = people.get(way.personId);
          if (person === undefined) return [];
          const isContact = contactIds.has(person.id);
          return [
            viewCompanion({ way, company, person, isContact, wayId: id, next: nextOf(way, orders) }, geo),
          ];
        }),
        total: ranked.length,
      };
    },
  };
}

const startOf = ({ fromLon: lon, fromLat: lat }: store.WayRow) => ({ lon, lat });
const endOf = ({ toLon: lon, toLat: lat }: store.WayRow) => ({ lon, lat });

const daysIn = (mask: number): number => mask.toString(2).replaceAll('0', '').length;

/** Most days first; then those who complete each other, one who drives and one who rides along; then the least detour. */
const byWorth = (a: Found, b: Found): number =>
  daysIn(b.company.days) - daysIn(a.company.days) ||
  Number(a.own.role === a.way.role) - Number(b.own.role === b.way.role) ||
  a.company.detourMs - b.company.detourMs ||
  a.way.id.localeCompare(b.way.id);
