import { Client } from 'pg';
import { later, hourMs } from '../../server/platform/clock.ts';
import { newPerson } from '../../server/testing/people.ts';
import type { Moving } from './crowd.ts';
import { requestOf, rideOf } from './plans.ts';

/** The statements of an action: in its call, and afterwards until all listeners have read its signals. */
interface Statements {
  call: number;
  after: number;
}

/** Runs `work`, and tells what it has asked the database meanwhile, by whichever connection, in order. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const { query } = Client.prototype;
  Client.prototype.query = function (this: Client, ...question: unknown[]): unknown {
    const [asked] = question;
    texts.push(typeof asked === 'string' ? asked : (asked as { text: string }).text);
    return Reflect.apply(query, this, question);
  } as Client['query'];
  try {
    await work();
  } finally {
    Client.prototype.query = query;
  }
  return texts;
}

/**
 * Counts the statements of one booking of a free ride, while nothing else happens: the ride and the request
 * are published, one asks, the other accepts. BEGIN and COMMIT count too, and so do the looks of those who
 * read the event log.
 */
export async function countStatements({ features, platform, pool, clock }: Moving) {
  const { orders } = features;
  const departsAt = later(clock.now(), 40 * hourMs);
  const deliver = () => platform.outbox.deliverAll(pool, platform.log);
  async function count<T>(act: () => Promise<T>): Promise<{ counted: Statements; made: T }> {
    await deliver();
    let made: T | undefined;
    const call = await statementsOf(async () => {
      made = await act();
    });
    const after = await statementsOf(deliver);
    return { counted: { call: call.length, after: after.length }, made: made! };
  }
  async function book() {
    const [driver, passenger] = [await newPerson(platform, 'Driver'), await newPerson(platform, 'Passenger')];
    const ride = await count(() =>
      orders.create(driver.id, rideOf({ departsAt, vehicleId: null, isInstant: false })),
    );
    const request = await count(() => orders.create(passenger.id, requestOf(departsAt)));
    const ids = { rideId: ride.made.id, requestId: request.made.id };
    const ask = await count(() => orders.bookings.ask(passenger.id, { ...ids, message: '' }));
    const bookingId = ask.made.order.bookings[0]!.id;
    const accept = await count(() => orders.bookings.accept(bookingId, driver.id));
    await orders.bookings.cancel(driver.id, { id: ride.made.id, reason: 'It has been counted' });
    return {
      publish: ride.counted,
      request: request.counted,
      ask: ask.counted,
      accept: accept.counted,
    };
  }
  // The first booking of a process reads what is then kept.
  await book();
  return book();
}
