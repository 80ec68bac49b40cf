import { maxEventDays, type EventFields } from '#contract/events/endpoints.ts';
import { planAheadDays } from '#contract/units.ts';
import type { App } from '../../../app-type.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { locatePlace, timeZoneAt } from '../../geo/service.ts';
import { instantAt } from './rules/times.ts';

/**
 * Checks the input and converts it to columns: the place must be near a road, times are local to it. Refuses
 * by the field.
 */
export function checkFields(app: App, fields: EventFields) {
  locatePlace(app, fields.place, 'place');
  const { name: atName, detail: atDetail, lon: atLon, lat: atLat } = fields.place;
  const timeZone = timeZoneAt(atLon, atLat);
  const timeOf = (local: string, field: string): Date => {
    const at = instantAt(local, timeZone);
    if (at === null) throw refuseField('event.timeWrong', field, 'Please select a date and time.');
    return at;
  };
  const [startsAt, endsAt] = [timeOf(fields.starts, 'starts'), timeOf(fields.ends, 'ends')];
  if (endsAt <= startsAt)
    throw refuseField('event.endsFirst', 'ends', 'Please select an end after the start.');
  if (endsAt > later(startsAt, maxEventDays * dayMs))
    throw refuseField('event.tooLong', 'ends', `An event can last up to ${maxEventDays} days.`);
  const { name, description, visibility, expectedPeople } = fields;
  const what = { name, description, visibility, expectedPeople };
  return { ...what, atName, atDetail, atLon, atLat, timeZone, startsAt, endsAt };
}

/** Refuses an event that does not start in the future, or ends later than people can plan for. */
export function checkAhead({ clock }: App, times: { startsAt: Date; endsAt: Date }): void {
  const now = clock.now();
  if (times.startsAt <= now)
    throw refuseField('event.timePast', 'starts', 'Please select a start in the future.');
  // The drive home must be within the same planning limit.
  if (times.endsAt > later(now, planAheadDays * dayMs))
    throw refuseField(
      'event.timeTooFar',
      'ends',
      `Please select a time within the next ${planAheadDays} days.`,
    );
}
