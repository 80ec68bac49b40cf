import type { Page } from '@playwright/test';
import { tomorrow, type Person } from './people.ts';

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });

const mission = place('Mission Street', -122.0408, 36.9689);
const aptos = place('Aptos Village', -121.9027, 36.9772);
const anybody = { note: '', contactWith: 'chat', visibility: 'all users', from: mission, to: aptos };

/** A free ride of tomorrow, as a driver publishes it. */
export const ride = async () => ({
  ...anybody,
  role: 'driver',
  departsAt: await tomorrow(90),
  seats: 2,
  vehicleId: null,
  priceKind: 'perPerson',
  costCents: 0,
  maxDetourMinutes: 25,
});
/** A request that fits that ride. */
export const tripRequest = async () => ({
  ...anybody,
  role: 'passenger',
  earliestAt: await tomorrow(60),
  latestAt: await tomorrow(120),
  seats: 1,
  offerCents: null,
});

/** A free ride that a person has joined: its id, which is its room's too. */
export async function joinedRide(driver: Person, passenger: Person): Promise<string> {
  const { id } = await driver.post<{ id: string }>('/order/create', { order: await ride() });
  const request = await passenger.post<{ id: string }>('/order/create', { order: await tripRequest() });
  const asked = await passenger.post<{ order: { bookings: { id: string }[] } }>('/order/request', {
    rideId: id,
    requestId: request.id,
    message: '',
  });
  await driver.post('/order/accept', { bookingId: asked.order.bookings[0]!.id });
  return id;
}

/** Fills in a day and a time of day, `2026-11-24T07:15`, in the field of that name. */
export async function fillWhen(page: Page, label: string, local: string): Promise<void> {
  const [day = '', time = ''] = local.split('T');
  const field = page.getByRole('group', { name: label });
  await field.getByLabel('Date').fill(day);
  await field.getByLabel('Time').fill(time);
}
