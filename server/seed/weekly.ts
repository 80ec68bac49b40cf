import { noPreferences } from '#contract/rides/preferences.ts';
import type { RecurringOrder } from '#contract/rides/recurring.ts';
import { createAlert } from '../features/alerts/service.ts';
import { createRecurring } from '../features/orders/service.ts';
import { personaOf, weeklyOfPeople } from './demo-data.ts';
import { costOf } from './orders.ts';
import { personId, type SeedContext } from './seed-context.ts';

/** No weekly ride begins within the week that is planned day by day. */
const firstDay = 9;
const lastDay = 75;
const alertDays = 56;

/** Lets Mia and Leo wait for more company on their way to campus, and others for any. */
export async function waitForCompany(context: SeedContext): Promise<void> {
  const { app, days, places } = context;
  // Some of the company of Mia and Leo is there tomorrow, whatever day it is.
  const workdays: number[] = [1, 2, 3, 4, 5];
  const always = { days: [...new Set([...workdays, days.weekdayOn(1)])], fromTime: '07:45' as const };
  const leo = { person: 'leo', from: 'home12', to: 'library' } as const;
  await waitForRide(context, { ...leo, ...always, toTime: '09:15', offerCents: 800 });
  await createAlert(app.platform, personId('mia'), {
    role: 'driver',
    from: places.home01,
    to: places.library,
    times: { kind: 'weekly', ...always, toTime: '08:45', until: days.dateOn(alertDays) },
    seats: 3,
    preferences: noPreferences,
    maxDetourMinutes: 15,
    priceKind: 'perPerson',
    costCents: 0,
  });
  for (const wait of weeklyOfPeople.waiting)
    await waitForRide(context, { ...wait, days: [2, 4], offerCents: null });
}

function waitForRide(
  { app, days, places }: SeedContext,
  wait: (typeof weeklyOfPeople.waiting)[number] & { days: number[]; offerCents: number | null },
) {
  const { person, from, to, offerCents, ...times } = wait;
  return createAlert(app.platform, personId(person), {
    role: 'passenger',
    from: places[from],
    to: places[to],
    times: { kind: 'weekly', ...times, until: days.dateOn(alertDays) },
    seats: 1,
    preferences: noPreferences,
    offerCents,
    walkMetres: 600,
  });
}

/** Starts the weekly rides and requests of the community, by the product's own rules. */
export async function startTheirWeeks({ app, days, places, vehicleIds, isPaid }: SeedContext): Promise<void> {
  const rule = { fromDay: days.dateOn(firstDay), untilDay: days.dateOn(lastDay) };
  for (const { person, weekdays, leaves } of weeklyOfPeople.commutes) {
    const { home, work, car, prefers, leaves: localTime } = personaOf(person);
    const common = {
      from: places[home],
      to: places[work],
      visibility: 'all users' as const,
      tagIds: [],
      note: '',
      contactWith: prefers,
      flightNumber: '',
      preferences: noPreferences,
    };
    const order: RecurringOrder =
      car === null
        ? { ...common, role: 'passenger', seats: 1, offerCents: null, walkMetres: 600, flexMinutes: 30 }
        : {
            ...common,
            role: 'driver',
            via: [],
            seats: 3,
            flexMinutes: 10,
            vehicleId: vehicleIds.get(person) ?? null,
            ...costOf(isPaid, car.price),
            maxDetourMinutes: 15,
            instant: false,
          };
    const series = { order, rule: { ...rule, weekdays, localTime: leaves ?? localTime } };
    await createRecurring(app.platform, personId(person), { series, back: null });
  }
}
