import type { z } from 'zod';
import type { AlertTimes, requestAlert, rideAlert } from '#contract/alerts/endpoints.ts';
import { isOfferTooLow } from '#contract/rides/lowest-prices.ts';
import { planAheadDays } from '#contract/units.ts';
import type { App } from '../../app-type.ts';
import { dayMs, later } from '../../platform/clock.ts';
import { refuseField } from '../../platform/refusal.ts';
import { checkTime, checkAmount, checkPrice } from '../orders/service.ts';
import { dayAt, windowsOf, type Window } from './rules/windows.ts';

export type AlertInput = z.output<typeof rideAlert> | z.output<typeof requestAlert>;

/** The windows of an alert's times. Refuses times that are past, too far ahead, too long or without a day. */
export function checkTimes(app: App, times: AlertTimes, timeZone: string): Window[] {
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
export function checkMoney(app: App, alert: AlertInput): void {
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
