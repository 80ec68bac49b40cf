import { noPreferences } from '#contract/rides/preferences.ts';
import type { RecurringOrder } from '#contract/rides/recurring.ts';
import { createAlert } from '../features/alerts/service.ts';
import { createRecurring } from '../features/orders/service.ts';
import type { TimeOfDay, Weekday } from './days.ts';
import type { PlaceKey } from './place-roles.ts';
import { personaOf, personId, type SeedContext } from './seed-context.ts';

/** No weekly ride begins within the week that is planned day by day. */
const firstDay = 9;
const lastDay = 75;

type Weekly = [person: string, days: readonly Weekday[], leaves?: TimeOfDay];

/**
 * People who go to work every week on the same days; most of them to campus, so that they find each other.
 */
const weekly: readonly Weekly[] = [
  ['mia', [2, 4]],
  ['leo', [2, 4]],
  ['ada', [1, 3]],
  ['emily', [2, 3]],
  ['grace', [1, 4]],
  ['anjali', [2, 4]],
  ['siyu', [2, 4], '08:20'],
  ['jasmine', [2, 5]],
  ['amina', [3, 4]],
  ['yesenia', [1, 3], '08:10'],
  ['zhaomin', [3, 5]],
  ['nora', [2, 4]],
];

type Wait = [person: string, from: PlaceKey, to: PlaceKey, fromTime: TimeOfDay, toTime: TimeOfDay];

/** People who would go along some day: with them, several routes to and from campus are popular. */
const waiting: readonly Wait[] = [
  ['tessa', 'home10', 'campusLibrary', '07:50', '08:50'],
  ['camila', 'home08', 'studentUnion', '07:50', '08:50'],
  ['siyu', 'home11', 'countyOffices', '07:45', '08:45'],
  ['ivy', 'lectureHall', 'home22', '17:15', '18:15'],
];

/** Lets some of the community wait for company. */
export async function waitForCompany({
  app,
  days,
  places,
}: Pick<SeedContext, 'app' | 'days' | 'places'>): Promise<void> {
  for (const [key, from, to, fromTime, toTime] of waiting)
    await createAlert(app.platform, personId(key), {
      role: 'passenger',
      from: places[from],
      to: places[to],
      times: { kind: 'weekly', days: [2, 4], fromTime, toTime, until: days.dateOn(56) },
      seats: 1,
      preferences: noPreferences,
      offerCents: null,
      walkMetres: 600,
    });
}

/** Starts the weekly rides and requests of the community, by the product's own rules. */
export async function startTheirWeeks({ app, days, places, vehicleIds, isPaid }: SeedContext): Promise<void> {
  const rule = { fromDay: days.dateOn(firstDay), untilDay: days.dateOn(lastDay) };
  for (const [key, weekdays, time] of weekly) {
    const { home, work, leaves, car, prefers } = personaOf(key);
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
    const price = isPaid ? (car?.price ?? 'free') : 'free';
    const order: RecurringOrder =
      car === null
        ? { ...common, role: 'passenger', seats: 1, offerCents: null, walkMetres: 600, flexMinutes: 30 }
        : {
            ...common,
            role: 'driver',
            via: [],
            seats: 3,
            flexMinutes: 10,
            vehicleId: vehicleIds.get(key) ?? null,
            priceKind: price !== 'free' && 'car' in price ? 'perCar' : 'perPerson',
            costCents: price === 'free' ? 0 : 'car' in price ? price.car : price.person,
            maxDetourMinutes: 15,
            instant: false,
          };
    const series = { order, rule: { ...rule, weekdays: [...weekdays], localTime: time ?? leaves } };
    await createRecurring(app.platform, personId(key), { series, back: null });
  }
}
