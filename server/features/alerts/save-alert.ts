import { randomUUID } from 'node:crypto';
import { maxAlerts, type AlertTimes } from '#contract/alerts/endpoints.ts';
import type { App } from '../../app-type.ts';
import { minuteMs } from '../../platform/clock.ts';
import { refuseField } from '../../platform/refusal.ts';
import { timeZoneAt, regionIdAt } from '../geo/service.ts';
import { defaultMaxDetourMs, spotsNear } from '../matching/service.ts';
import { columnsOfEnds, locateWay, checkWomen } from '../orders/service.ts';
import { checkMoney, checkTimes, type AlertInput } from './check-alert.ts';
import * as store from './store.ts';

/**
 * Saves an alert, with the checks of publishing. Refuses what publishing would refuse, a duplicate, and one
 * too many.
 */
export async function saveAlert(app: App, ownerId: string, alert: AlertInput): Promise<store.AlertRow> {
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
