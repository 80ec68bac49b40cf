import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { maxAlerts, type AlertTimes, type requestAlert, type rideAlert } from '#contract/alerts/endpoints.ts';
import { isOfferTooLow, isPriceTooLow, planAheadDays } from '#contract/units.ts';
import type { Platform } from '../../platform/platform.ts';
import { dayMs, later, minuteMs } from '../../platform/clock.ts';
import { refuseField } from '../../platform/refusal.ts';
import type { GeoService } from '../geo/service.ts';
import { defaultMaxDetourMs, type MatchingService } from '../matching/service.ts';
import { columnsOfEnds, type OrdersService } from '../orders/service.ts';
import { dayAt, windowsOf, type Window } from './rules/windows.ts';
import * as store from './store.ts';

export type AlertInput = z.output<typeof rideAlert> | z.output<typeof requestAlert>;

/** Saving an alert: what a person entered is checked as if they published it, then one transaction. */
export function createSavedAlerts(
  { transact, clock, outbox }: Platform,
  geo: GeoService,
  matching: MatchingService,
  {
    locateWay,
    checkTime,
    checkAmount,
    checkWomen,
  }: Pick<OrdersService, 'locateWay' | 'checkTime' | 'checkAmount' | 'checkWomen'>,
) {
  function checkTimes(times: AlertTimes, timeZone: string): Window[] {
    const now = clock.now();
    if (times.kind === 'once') {
      const [earliestAt, latestAt] = [new Date(times.earliestAt), new Date(times.latestAt)];
      if (latestAt < earliestAt || latestAt > later(earliestAt, dayMs))
        throw refuseField(
          'order.windowWrong',
          'alert.times.latestAt',
          'Please select a time window of at most 24 hours.',
        );
      checkTime(latestAt, 'alert.times.latestAt');
      return windowsOf(times, timeZone, now);
    }
    if (times.fromTime === times.toTime)
      throw refuseField(
        'order.windowWrong',
        'alert.times.toTime',
        'Please select a time window of at most 24 hours.',
      );
    if (times.until < dayAt(now, timeZone))
      throw refuseField(
        'order.timePast',
        'alert.times.until',
        'Please select a departure time in the future.',
      );
    if (times.until > dayAt(later(now, planAheadDays * dayMs), timeZone))
      throw refuseField(
        'order.timeTooFar',
        'alert.times.until',
        `Please select a time within the next ${planAheadDays} days.`,
      );
    const windows = windowsOf(times, timeZone, now);
    if (windows.length === 0)
      throw refuseField('alert.noDay', 'alert.times.until', 'None of these days comes before the end date.');
    return windows;
  }

  function checkMoney(alert: AlertInput): void {
    if (alert.role === 'passenger') {
      if (alert.offerCents === null) return;
      if (isOfferTooLow(alert.offerCents))
        throw refuseField(
          'order.offerTooLow',
          'alert.offerCents',
          'Please offer more than $5 per person to the driver.',
        );
      checkAmount(alert.offerCents * alert.seats, 'alert.offerCents');
      return;
    }
    if (isPriceTooLow(alert.costCents))
      throw refuseField(
        'order.priceTooLow',
        'alert.costCents',
        'Please ask for at least $0.50, or make the ride free.',
      );
    checkAmount(alert.costCents, 'alert.costCents');
  }

  /** Keeps an alert. Refuses what publishing would refuse, a second one of the same, and one too many. */
  return async function save(ownerId: string, alert: AlertInput): Promise<store.AlertRow> {
    const { from, to, role, seats } = alert;
    const { route, estimated } = locateWay(from, to, 'alert.');
    const timeZone = geo.timeZoneAt(from.lon, from.lat);
    const times = tidied(alert.times);
    const windows = checkTimes(times, timeZone);
    checkMoney(alert);
    await checkWomen(ownerId, alert.preferences, 'alert.preferences.women');
    const weekly = times.kind === 'weekly' ? times : null;
    const row = {
      id: randomUUID(),
      ownerId,
      role,
      ...columnsOfEnds(alert),
      timeZone,
      estimated,
      driveMs: route.milliseconds,
      driveMetres: route.metres,
      seats,
      ...alert.preferences,
      days: weekly?.days ?? null,
      fromTime: weekly?.fromTime ?? null,
      toTime: weekly?.toTime ?? null,
      until: weekly?.until ?? null,
      ...(alert.role === 'passenger'
        ? {
            offerCents: alert.offerCents,
            walkMetres: alert.walkMetres,
            pickupSpots: matching.spotsNear(alert.from, alert.walkMetres),
            dropoffSpots: matching.spotsNear(alert.to, alert.walkMetres),
          }
        : {
            maxDetourMs:
              alert.maxDetourMinutes === null
                ? defaultMaxDetourMs(route.milliseconds)
                : alert.maxDetourMinutes * minuteMs,
            priceKind: alert.priceKind,
            costCents: alert.costCents,
          }),
      endsAt: windows.at(-1)!.latestAt,
      createdAt: clock.now(),
    };
    const { id: _id, createdAt: _at, ...entered } = row;
    return transact(async (tx) => {
      await store.lockOwner(tx, ownerId);
      if ((await store.countOpen(tx, ownerId, clock.now())) >= maxAlerts)
        throw refuseField(
          'alert.tooMany',
          'alert',
          `You have ${maxAlerts} saved alerts. Please delete one first.`,
        );
      const sameness = JSON.stringify({ ...entered, times });
      const saved = await store.insertAlert(tx, { ...row, sameness }, windows);
      if (saved === null) throw refuseField('alert.duplicate', 'alert', 'You have saved this alert already.');
      await outbox.emit(tx, 'alert.saved', { alertId: saved.id, ownerId }, saved.id);
      return saved;
    });
  };
}

/** One way to write the same times. */
const tidied = (times: AlertTimes): AlertTimes =>
  times.kind === 'weekly'
    ? { ...times, days: [...new Set(times.days)].toSorted((a, b) => a - b) }
    : {
        ...times,
        earliestAt: new Date(times.earliestAt).toISOString(),
        latestAt: new Date(times.latestAt).toISOString(),
      };
