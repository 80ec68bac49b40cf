import { isAirport } from '#contract/geo/airports.ts';
import { noPreferences } from '#contract/rides/preferences.ts';
import type { Booking } from '#contract/rides/views.ts';
import { sendMessage, markRead } from '../features/chat/service.ts';
import { everything, ridesForDraft } from '../features/matching/service.ts';
import {
  createOrder,
  askToJoin,
  acceptBooking,
  type RequestInput,
  type RideInput,
} from '../features/orders/service.ts';
import { later, minuteMs } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import { personaOf, type PlaceKey, type Price } from './demo-data.ts';
import { personId, stableId, type SeedContext } from './seed-context.ts';
import { roundDown } from './week.ts';
import type { PlannedRequest, PlannedRide } from './week-plan.ts';

/** A published ride, as far as the seed goes on with it. */
export interface StandingRide {
  id: string;
  driver: string;
  from: PlaceKey;
  to: PlaceKey;
  departsAt: Date;
  arrivesAt: Date;
}

/** A price as an order has it; rides are free where people have no cards. */
export function costOf(isPaid: boolean, price: Price): Pick<RideInput, 'priceKind' | 'costCents'> {
  if (!isPaid || price === 'free') return { priceKind: 'perPerson', costCents: 0 };
  return 'car' in price
    ? { priceKind: 'perCar', costCents: price.car }
    : { priceKind: 'perPerson', costCents: price.person };
}

function commonOf(
  { tagIds, places }: SeedContext,
  order: Pick<
    PlannedRide,
    'person' | 'from' | 'to' | 'seats' | 'visibility' | 'tags' | 'note' | 'flight' | 'event'
  >,
) {
  return {
    from: places[order.from],
    to: places[order.to],
    seats: order.seats,
    visibility: order.visibility,
    tagIds: order.tags.flatMap((name) => tagIds.get(`${order.person}:${name}`) ?? []),
    note: order.note,
    // A region that no main road leaves has other places instead of airports.
    flightNumber: isAirport(places[order.from]) || isAirport(places[order.to]) ? order.flight : '',
    eventId: order.event === null ? null : stableId(`event:${order.event}`),
    contactWith: personaOf(order.person).prefers,
    preferences: noPreferences,
  };
}

/** Publishes a ride by the product's own rules, at the clock's present time. */
export async function publishRide(context: SeedContext, planned: PlannedRide): Promise<StandingRide> {
  const { person, departsAt, flexMinutes, maxDetourMinutes } = planned;
  const input: RideInput = {
    ...commonOf(context, planned),
    role: 'driver',
    departsAt: departsAt.toISOString(),
    flexMinutes,
    vehicleId: context.vehicleIds.get(person) ?? null,
    ...costOf(context.isPaid, planned.price),
    maxDetourMinutes,
    instant: false,
    via: [],
  };
  const ride = await createOrder(context.app.platform, personId(person), input);
  if (ride.role !== 'driver') throw new Error('A ride was published as something else.');
  return {
    id: ride.id,
    driver: person,
    from: planned.from,
    to: planned.to,
    departsAt: new Date(ride.departsAt),
    arrivesAt: new Date(ride.arrivesAt),
  };
}

/** Publishes a request by the product's own rules, at the clock's present time; gives its id. */
export async function publishRequest(context: SeedContext, planned: PlannedRequest): Promise<string> {
  const { person, earliestAt, latestAt, offerCents } = planned;
  const input: RequestInput = {
    ...commonOf(context, planned),
    role: 'passenger',
    earliestAt: earliestAt.toISOString(),
    latestAt: latestAt.toISOString(),
    offerCents,
    walkMetres: 600,
  };
  return (await createOrder(context.app.platform, personId(person), input)).id;
}

/** A passenger asks to join; gives the id of the ask. */
export async function ask(
  context: SeedContext,
  passenger: string,
  pair: { rideId: string; requestId: string; message: string },
): Promise<string> {
  const { order } = await askToJoin(context.app.platform, personId(passenger), pair);
  return bookingOn(order.bookings, pair.rideId).id;
}

/** Lets a part of a story happen; null where the region's roads do not let its two ways match. */
export async function whereItFits<T>(happen: () => Promise<T>): Promise<T | null> {
  try {
    return await happen();
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'match.noFit') return null;
    throw error;
  }
}

function bookingOn(bookings: readonly Booking[], rideId: string): Booking {
  const booking = bookings.findLast((each) => each.rideId === rideId);
  if (booking === undefined) throw new Error(`There is no booking on ride ${rideId}.`);
  return booking;
}

/**
 * Lets a person with a route like the ride's publish a request for it and ask; gives the id of the booking,
 * or null when the ways do not fit after all.
 */
export async function askAlong(
  context: SeedContext,
  ride: StandingRide,
  passenger: { person: string; from: PlaceKey; to: PlaceKey; message: string },
  asksAt: Date,
): Promise<string | null> {
  const { clock, app, places } = context;
  const { person, from, to, message } = passenger;
  clock.moveTo(asksAt);
  const { fits } = await ridesForDraft(
    app.platform,
    {
      from: places[from],
      to: places[to],
      earliestAt: ride.departsAt,
      latestAt: later(ride.arrivesAt, 30 * minuteMs),
      seats: 1,
      offerCents: null,
      walkMetres: 600,
      preferences: noPreferences,
    },
    { viewerId: personId(person), isRounded: false },
    everything,
  );
  const fit = fits.find((each) => each.ride.id === ride.id);
  if (fit === undefined) return null;
  const { pickupMs } = fit.insertion;
  const requestId = await publishRequest(context, {
    person,
    from,
    to,
    seats: 1,
    earliestAt: roundDown(pickupMs - 10 * minuteMs),
    latestAt: roundDown(pickupMs + 20 * minuteMs),
    publishedAt: asksAt,
    offerCents: null,
    visibility: 'all users',
    tags: [],
    note: '',
    flight: '',
    event: null,
  });
  return whereItFits(() => ask(context, person, { rideId: ride.id, requestId, message }));
}

/** The same, and the driver accepts. */
export async function rideAlong(
  context: SeedContext,
  ride: StandingRide,
  passenger: { person: string; from: PlaceKey; to: PlaceKey; message: string },
  when: { asksAt: Date; isAcceptedAt: Date },
): Promise<string | null> {
  const bookingId = await askAlong(context, ride, passenger, when.asksAt);
  if (bookingId === null) return null;
  context.clock.moveTo(when.isAcceptedAt);
  await acceptBooking(context.app.platform, bookingId, personId(ride.driver));
  return bookingId;
}

/**
 * Sends these lines in a ride's room, the two sides in turn, the driver first; all members have read them.
 */
export async function talk(
  context: SeedContext,
  { rideId, between }: { rideId: string; between: readonly [driver: string, passenger: string] },
  lines: readonly string[],
  from: Date,
): Promise<void> {
  let read = 0;
  for (const [index, text] of lines.entries()) {
    context.clock.moveTo(later(from, index * 2 * minuteMs));
    const clientId = stableId(`line:${rideId}:${index}:${text}`);
    const { seq } = await sendMessage(context.app.platform, rideId, personId(between[index % 2]!), {
      clientId,
      text,
    });
    read = seq;
  }
  for (const person of between)
    await markRead(context.app.platform, { roomId: rideId, userId: personId(person), seq: read });
}
