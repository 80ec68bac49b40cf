import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  type Alert,
  maxAlerts,
  type AlertTimes,
  type requestAlert,
  type rideAlert,
} from '#contract/alerts/endpoints.ts';
import { isOfferTooLow } from '#contract/rides/lowest-prices.ts';
import { planAheadDays } from '#contract/units.ts';
import type { App } from '../../app-type.ts';
import { minuteMs, dayMs, later } from '../../platform/clock.ts';
import { notFound, refuseField } from '../../platform/refusal.ts';
import { timeZoneAt, regionIdAt } from '../geo/service.ts';
import { defaultMaxDetourMs, spotsNear } from '../matching/service.ts';
import {
  columnsOfEnds,
  locateWay,
  checkWomen,
  checkTime,
  checkAmount,
  checkPrice,
} from '../orders/service.ts';
import { listAlerts } from './list-alerts.ts';
import { dayAt, windowsOf, type Window } from './rules/windows.ts';
import * as store from './store.ts';

const noAlert = () => notFound('alert.notFound', 'We couldn’t find this alert.');

/** Saves an alert. Refusals name the field under `alert.`; nothing is stored then. */
export async function createAlert(app: App, ownerId: string, input: AlertInput): Promise<Alert> {
  const { id } = await saveAlert(app, ownerId, input);
  const alert = (await listAlerts(app, ownerId)).alerts.find((each) => each.id === id);
  if (alert === undefined) throw noAlert();
  return alert;
}

/** Marks the hits of one's alert as seen. Refuses `alert.notFound`. */
export async function readAlert(
  { db, transact, clock, outbox }: App,
  id: string,
  ownerId: string,
): Promise<void> {
  const alert = await store.alertById(db, id);
  if (alert?.ownerId !== ownerId) throw noAlert();
  await transact('read alert', async (tx) => {
    await store.markRead(tx, id, clock.now());
    await outbox.tell(tx, [ownerId], { topic: 'alert', id, news: null });
  });
}

/** Deletes one's alert and its hits. Refuses `alert.notFound`. */
export async function deleteAlert({ transact, outbox }: App, id: string, ownerId: string): Promise<void> {
  await transact('delete alert', async (tx) => {
    if (!(await store.deleteAlert(tx, id, ownerId))) throw noAlert();
    await outbox.emit(tx, 'alert.deleted', { alertId: id, ownerId }, id);
    await outbox.tell(tx, [ownerId], { topic: 'alert', id, news: null });
  });
}

/**
 * Saves an alert, with the checks of publishing. Refuses what publishing would refuse, a duplicate, and one
 * too many.
 */
async function saveAlert(app: App, ownerId: string, alert: AlertInput): Promise<store.AlertRow> {
  const { transact, clock, outbox } = app;
  const { from, to } = alert;
  const drive = locateWay(app, from, to, 'alert.');
  const timeZone = timeZoneAt(from.lon, from.lat);
  const times = tidied(alert.times);
  const windows = checkTimes(app, times, timeZone);
  checkMoney(app, alert);
  await checkWomen(app, ownerId, alert.preferences, 'alert.preferences.women');
  const entered = {
    ownerId,
    role: alert.role,
    ...columnsOfEnds(alert),
    timeZone,
    estimated: drive.estimated,
    driveMs: drive.route.milliseconds,
    driveMetres: drive.route.metres,
    seats: alert.seats,
    ...alert.preferences,
    ...weeklyColumns(times),
    ...roleColumns(app, alert, drive.route.milliseconds),
    endsAt: windows.at(-1)!.latestAt,
  };
  const regionId = regionIdAt(app, from);
  const row = { id: randomUUID(), ...entered, regionId, createdAt: clock.now() };
  const sameness = JSON.stringify({ ...entered, times });
  return transact('save alert', async (tx) => {
    await store.lockOwner(tx, ownerId);
    if ((await store.countOpen(tx, ownerId, clock.now())) >= maxAlerts)
      throw refuseField(
        'alert.tooMany',
        'alert',
        `You have ${maxAlerts} saved alerts. Please delete one first.`,
      );
    const saved = await store.insertAlert(tx, { ...row, sameness }, windows);
    if (saved === null) throw refuseField('alert.duplicate', 'alert', 'You already saved this alert.');
    await outbox.emit(tx, 'alert.saved', { alertId: saved.id, ownerId }, saved.id);
    return saved;
  });
}

const weeklyColumns = (times: AlertTimes) => {
  const weekly = times.kind === 'weekly' ? times : null;
  return {
    days: weekly?.days ?? null,
    fromTime: weekly?.fromTime ?? null,
    toTime: weekly?.toTime ?? null,
    until: weekly?.until ?? null,
  };
};

/**
 * The columns of a passenger's alert, or those of a driver's.
 * @param driveMs the drive between its places.
 */
const roleColumns = (app: App, alert: AlertInput, driveMs: number) =>
  alert.role === 'passenger'
    ? {
        offerCents: alert.offerCents,
        walkMetres: alert.walkMetres,
        pickupMeetingPoints: spotsNear(app, alert.from, alert.walkMetres),
        dropoffMeetingPoints: spotsNear(app, alert.to, alert.walkMetres),
      }
    : {
        maxDetourMs:
          alert.maxDetourMinutes === null ? defaultMaxDetourMs(driveMs) : alert.maxDetourMinutes * minuteMs,
        priceKind: alert.priceKind,
        costCents: alert.costCents,
      };

/** The canonical form of the times. */
const tidied = (times: AlertTimes): AlertTimes =>
  times.kind === 'weekly'
    ? { ...times, days: [...new Set(times.days)].toSorted((a, b) => a - b) }
    : {
        ...times,
        earliestAt: new Date(times.earliestAt).toISOString(),
        latestAt: new Date(times.latestAt).toISOString(),
      };

type AlertInput = z.output<typeof rideAlert> | z.output<typeof requestAlert>;

/** The windows of an alert's times. Refuses times that are past, too far ahead, too long or without a day. */
function checkTimes(app: App, times: AlertTimes, timeZone: string): Window[] {
  const now = app.clock.now();
  if (times.kind === 'once') {
    const [earliestAt, latestAt] = [new Date(times.earliestAt), new Date(times.latestAt)];
    if (latestAt < earliestAt || latestAt > later(earliestAt, dayMs))
      throw refuseField(
        'order.windowWrong',
        'alert.times.latestAt',
        'Please select a time window of up to 24 hours.',
      );
    checkTime(app, latestAt, 'alert.times.latestAt');
    return windowsOf(times, timeZone, now);
  }
  if (times.fromTime === times.toTime)
    throw refuseField(
      'order.windowWrong',
      'alert.times.toTime',
      'Please select a time window of up to 24 hours.',
    );
  if (times.until < dayAt(now, timeZone))
    throw refuseField('order.timePast', 'alert.times.until', 'Please select a departure time in the future.');
  if (times.until > dayAt(later(now, planAheadDays * dayMs), timeZone))
    throw refuseField(
      'order.timeTooFar',
      'alert.times.until',
      `Please select a time within the next ${planAheadDays} days.`,
    );
  const windows = windowsOf(times, timeZone, now);
  if (windows.length === 0)
    throw refuseField('alert.noDay', 'alert.times.until', 'None of these days falls before the end date.');
  return windows;
}

/** Refuses an offer or a price that is too low or too high. */
function checkMoney(app: App, alert: AlertInput): void {
  if (alert.role === 'passenger') {
    if (alert.offerCents === null) return;
    if (isOfferTooLow(alert.offerCents))
      throw refuseField(
        'order.offerTooLow',
        'alert.offerCents',
        'Please offer more than $5 per person to the driver.',
      );
    checkAmount(app, alert.offerCents * alert.seats, 'alert.offerCents');
    return;
  }
  checkPrice(alert, 'alert.costCents');
  checkAmount(app, alert.costCents, 'alert.costCents');
}
