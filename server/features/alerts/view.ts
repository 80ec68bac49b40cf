import type { Alert, AlertHit, AlertTimes } from '#contract/alerts/endpoints.ts';
import { wholeMinutes } from '../matching/service.ts';
import { fromOf, toOf } from '../orders/service.ts';
import type { AlertRow, HitRow } from './store.ts';

const inMinutes = (at: Date): string => new Date(wholeMinutes(at.getTime())).toISOString();

/** The view of a hit, with its order. */
export const viewHit = (hit: HitRow, order: AlertHit['order']): AlertHit => ({
  order,
  foundAt: hit.foundAt.toISOString(),
  unread: hit.readAt === null,
  pickupAt: inMinutes(hit.pickupAt),
  dropoffAt: inMinutes(hit.dropoffAt),
  fareCents: hit.fareCents,
  detourSeconds: wholeMinutes(hit.detourMs) / 1000,
});

/** @param window its only window, of an alert that is not weekly. */
export function viewAlert(
  row: AlertRow,
  of: {
    window: { earliestAt: Date; latestAt: Date };
    hits: AlertHit[];
    counts: { total: number; unread: number };
    now: Date;
  },
): Alert {
  const common = {
    id: row.id,
    from: fromOf(row),
    to: toOf(row),
    times: timesOf(row, of.window),
    timeZone: row.timeZone,
    seats: row.seats,
    preferences: { pets: row.pets, luggage: row.luggage, quiet: row.quiet, women: row.women },
    createdAt: row.createdAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    ended: row.endsAt <= of.now,
    hits: of.hits,
    ...of.counts,
  };
  return row.role === 'passenger'
    ? { ...common, role: 'passenger', offerCents: row.offerCents, walkMetres: row.walkMetres ?? 0 }
    : {
        ...common,
        role: 'driver',
        maxDetourSeconds: Math.round((row.maxDetourMs ?? 0) / 1000),
        priceKind: row.priceKind ?? 'perPerson',
        costCents: row.costCents ?? 0,
      };
}

function timesOf(row: AlertRow, window: { earliestAt: Date; latestAt: Date }): AlertTimes {
  const { days, fromTime, toTime, until } = row;
  return days === null || fromTime === null || toTime === null || until === null
    ? {
        kind: 'once',
        earliestAt: window.earliestAt.toISOString(),
        latestAt: window.latestAt.toISOString(),
      }
    : { kind: 'weekly', days, fromTime, toTime, until };
}
