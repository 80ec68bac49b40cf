import { expect, type Page } from '@playwright/test';
import { get, post, serverUrl, type Person } from './people.ts';

/** Stripe's public test numbers, by what their cards do. */
export const testCards = {
  good: '4242 4242 4242 4242',
  asksAlways: '4000 0027 6000 3184',
  /** Saved without trouble, refused when money is authorized. */
  refusedLater: '4000 0000 0000 0341',
} as const;

const places = {
  westside: { name: 'Mission Street', detail: 'Santa Cruz', lon: -122.0408, lat: 36.9689 },
  aptos: { name: 'Aptos Village', detail: 'Aptos', lon: -121.9027, lat: 36.9772 },
  downtown: { name: 'Pacific Avenue', detail: 'Santa Cruz', lon: -122.0263, lat: 36.9741 },
  capitola: { name: 'Capitola Village', detail: 'Capitola', lon: -121.9533, lat: 36.9722 },
} as const;

type Caller = Pick<Person, 'get' | 'post'>;

/** Answers a page of the test provider without a browser, for what a journey is not about; where it leads. */
async function answerPage(url: string, form: Record<string, string>): Promise<string> {
  const answer = await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });
  expect(answer.status).toBe(303);
  return answer.headers.get('location') ?? '';
}

/** Saves a card by calls. */
export async function giveCard(who: Caller, number: string = testCards.good): Promise<void> {
  const { pageUrl } = await who.post<{ pageUrl: string }>('/payment/setup-intent', {});
  await answerPage(pageUrl, { number, expiry: '12/34', cvc: '123' });
  const { methods } = await who.get<{ methods: unknown[] }>('/payment/methods');
  expect(methods).toHaveLength(1);
}

/** Adds a vehicle by a call. */
export async function giveVehicle(who: Person): Promise<string> {
  const plate = `PAY${Math.random().toString(36).slice(2, 6)}`;
  const car = {
    plate,
    brand: 'Toyota',
    model: 'Prius',
    type: 'hatchback',
    year: 2021,
    color: 'blue',
    seats: 4,
  };
  await who.post('/car/create', car);
  const { vehicles } = await who.get<{ vehicles: { id: string }[] }>('/car/list');
  return vehicles[0]!.id;
}

/** Has the card provider review a driver's papers, by calls. */
export async function verify(who: Caller): Promise<void> {
  const { url } = await who.post<{ url: string }>('/payment/onboard-link', {});
  await answerPage(url, { outcome: 'verified' });
  expect(await who.get('/payment/account')).toMatchObject({ state: 'verified' });
}

/** Some minutes from now by the server's clock. */
export async function inMinutes(minutes: number): Promise<string> {
  const { now } = await get<{ now: string }>('/app/config');
  return new Date(Date.parse(now) + minutes * 60_000).toISOString();
}

/** Moves the server's clock ahead. */
export const moveClock = (to: string, minutes = 0): Promise<unknown> =>
  post('/demo/clock', { to: new Date(Date.parse(to) + minutes * 60_000).toISOString() });

interface Booking {
  id: string;
  rideId: string;
  state: string;
  fareCents: number;
  noShowFrom: string | null;
  contacted: boolean;
  pickup: { lon: number; lat: number };
}
interface Order {
  id: string;
  departsAt: string;
  bookings: Booking[];
}

/** A request along the way of `payRide`'s ride. */
export const requestRide = async (passenger: Person, minutes: number): Promise<Order> =>
  passenger.post<Order>('/order/create', {
    order: {
      role: 'passenger',
      from: places.downtown,
      to: places.capitola,
      earliestAt: await inMinutes(minutes - 20),
      latestAt: await inMinutes(minutes + 45),
      seats: 1,
    },
  });

/** A ride of $12.00 that leaves in some minutes, and a passenger whom its driver has accepted. */
export async function agreedRide(
  { driver, passenger }: { driver: Person; passenger: Person },
  minutes: number,
): Promise<{ ride: Order; request: Order; bookingId: string }> {
  await verify(driver);
  const ride = await driver.post<Order>('/order/create', {
    order: {
      role: 'driver',
      from: places.westside,
      to: places.aptos,
      departsAt: await inMinutes(minutes),
      seats: 3,
      vehicleId: await giveVehicle(driver),
      priceKind: 'perPerson',
      costCents: 12_00,
    },
  });
  const request = await requestRide(passenger, minutes);
  const asked = await passenger.post<{ order: Order }>('/order/request', {
    rideId: ride.id,
    requestId: request.id,
  });
  const bookingId = asked.order.bookings[0]!.id;
  await driver.post('/order/accept', { bookingId });
  return { ride, request, bookingId };
}

/** The passenger's booking in its current state. */
export const bookingOf = async (passenger: Person, requestId: string): Promise<Booking> =>
  (await passenger.get<{ order: Order }>(`/order/detail?id=${requestId}`)).order.bookings[0]!;

/** Waits until the authorization is placed and the seat is the passenger's. */
export const expectJoined = (passenger: Person, requestId: string): Promise<void> =>
  expect.poll(async () => (await bookingOf(passenger, requestId)).state).toBe('joined');

/** Fills in the provider's page for a card, as a person does. */
export async function typeCard(page: Page, number: string): Promise<void> {
  await page.waitForURL(/\/test-money\/card\//);
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expires (MM/YY)').fill('12/34');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: 'Save this card' }).click();
}

/** The password of everyone in the demo. */
export const demoPassword = 'sameway-demo';

/** A demo admin's window. */
export async function adminSession(): Promise<{ accessToken: string; name: string }> {
  expect(serverUrl()).not.toBe('');
  return post('/access/login', { email: 'admin@demo.sameway.example', password: demoPassword });
}
