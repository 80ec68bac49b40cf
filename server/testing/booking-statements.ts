import { Query } from 'pg';
import type { BuiltApp } from '../app.ts';
import { acceptBooking } from '../features/orders/bookings/accept-booking.ts';
import { cancelOrder } from '../features/orders/bookings/cancel-order.ts';
import { askToJoin } from '../features/orders/bookings/open-booking.ts';
import { createOrder } from '../features/orders/order-commands.ts';
import { later, hourMs, type Clock } from '../platform/clock.ts';
import { requestOf, rideOf } from './booking-plans.ts';
import { newPerson } from './people.ts';

/** The statements of an action: in its call, and afterwards until all listeners have read its signals. */
interface Statements {
  call: number;
  after: number;
}

/**
 * Runs `work`, and returns the statements that it sends over any connection, in order. Wraps the driver's
 * `submit` meanwhile, through which all of them pass.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const { prototype } = Query as unknown as { prototype: Sent };
  const { submit } = prototype;
  prototype.submit = function (this: Sent, connection: unknown): unknown {
    texts.push(this.text);
    return submit.call(this, connection);
  };
  try {
    await work();
  } finally {
    prototype.submit = submit;
  }
  return texts;
}

/** A statement as the driver sends it. */
interface Sent {
  text: string;
  submit(this: Sent, connection: unknown): unknown;
}

/**
 * Counts the statements of one booking of a free ride, while nothing else happens: the ride and the request
 * are published, one asks, the other accepts. BEGIN and COMMIT count too, and so do the polls of the event
 * log's reader.
 */
export async function countStatements({
  platform,
  pool,
  clock,
}: Pick<BuiltApp, 'platform' | 'pool'> & { clock: Clock }) {
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
      createOrder(platform, driver.id, rideOf({ departsAt, vehicleId: null, isInstant: false })),
    );
    const request = await count(() => createOrder(platform, passenger.id, requestOf(departsAt)));
    const ids = { rideId: ride.made.id, requestId: request.made.id };
    const ask = await count(() => askToJoin(platform, passenger.id, { ...ids, message: '' }));
    const bookingId = ask.made.order.bookings[0]!.id;
    const accept = await count(() => acceptBooking(platform, bookingId, driver.id));
    await cancelOrder(platform, driver.id, { id: ride.made.id, reason: 'It has been counted' });
    return {
      publish: ride.counted,
      request: request.counted,
      ask: ask.counted,
      accept: accept.counted,
    };
  }
  // The first booking of a process reads values that are cached afterwards.
  await book();
  return book();
}
