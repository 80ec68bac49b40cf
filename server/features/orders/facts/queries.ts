import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { endedRideStates, seatedStates, ridingStates, type RideState } from '#contract/rides/moves.ts';
import { sqlWords } from '../../../platform/database/sql-words.ts';
import { neitherBlocked } from '../../contacts/queries.ts';
import { leastShareCents } from '../../matching/service.ts';

/** An order in a few words: what a notification says of it to a person with a part in it. */
export interface OrderFacts {
  orderNumber: string;
  from: string;
  to: string;
  timeZone: string;
  /** ISO 8601. */
  departsAt: string;
  bookingId?: string;
  /** `share` is a passenger's whole share, `most` the same where it may still decrease. */
  price?: { cents: number; per: 'share' | 'most' | 'person' | 'car' };
}

/** The columns of `orderFactsOf`, as JSON. */
interface FactsRow {
  order_number: string;
  from_name: string;
  to_name: string;
  time_zone: string;
  at: string;
  ride: {
    state: RideState;
    price_kind: 'perPerson' | 'perCar';
    cost_cents: number;
    seats: number;
  } | null;
  booking: { id: string; seats: number; fare_cents: number; is_over: boolean; other_seats: number } | null;
  /** The person has never joined: of the pick-up they see the time that `toldPickups` says. */
  is_rounded?: boolean;
}

const seatsOfOthers = sql`(select coalesce(sum(other.seats), 0)::int from bookings other
  where r.price_kind = 'perCar' and other.ride_id = r.id and other.id <> b.id and (
    other.state in ${sqlWords([...seatedStates, 'finished'])}
    or (other.state = 'waiting for passenger acceptance' and other.awaits = 'payment')))`;

const bookingJson = sql`case when b.id is not null then jsonb_build_object('id', b.id, 'seats', b.seats,
  'fare_cents', b.fare_cents, 'is_over', b.ended_at is not null and b.state <> 'finished',
  'other_seats', ${seatsOfOthers}) end`;

/**
 * The facts of an order for one person, as a scalar of JSON for `factsFrom`: null where it is gone; a text
 * where only the order's view has them, because the person sees a proposal or nothing of it.
 * @param of.rideId the ride; of its bookings the last one of the person, or the one that is named
 * @param of.requestId instead of a ride: the passenger's own request
 */
export const orderFactsOf = (of: {
  rideId: SQLWrapper;
  bookingId: SQLWrapper;
  requestId: SQLWrapper;
  personId: SQLWrapper;
}): SQL => sql`case
  when ${of.requestId} is not null then (
    select jsonb_build_object('order_number', q.order_number, 'from_name', q.from_name, 'to_name', q.to_name,
      'time_zone', q.time_zone, 'at', q.earliest_at)
    from requests q where q.id = ${of.requestId})
  else (
    select case
      when own.id is null and r.driver_id <> ${of.personId} then to_jsonb('view'::text)
      when own.id is null then ${rideJson('r', sql`r.departs_at`)} || jsonb_build_object('booking', (
        select ${bookingJson} from bookings b where b.id = ${of.bookingId} and b.ride_id = r.id))
      when own.is_hidden or exists (select from change_proposals c where c.ride_id = r.id and c.state = 'open')
        then to_jsonb('view'::text)
      else (select ${rideJson('q', sql`b.pickup_at`)}
          || jsonb_build_object('booking', ${bookingJson}, 'is_rounded', own.joined_at is null)
        from bookings b join requests q on q.id = b.request_id where b.id = own.id)
      end
    from rides r left join lateral (
      select b.id, b.joined_at,
        b.state not in ${sqlWords(ridingStates)} and not ${neitherBlocked(sql`r.driver_id`, of.personId)} as is_hidden
      from bookings b
      where b.ride_id = r.id and b.passenger_id = ${of.personId}
        and (${of.bookingId} is null or b.id = ${of.bookingId})
      order by b.created_at desc, b.id desc limit 1
    ) own on true
    where r.id = ${of.rideId})
  end`;

/** @param route the order that names the places: the driver's ride, or the passenger's request */
function rideJson(route: 'r' | 'q', at: SQL): SQL {
  const of = sql.raw(route);
  return sql`jsonb_build_object('order_number', ${of}.order_number, 'from_name', ${of}.from_name,
    'to_name', ${of}.to_name, 'time_zone', ${of}.time_zone, 'at', ${at}, 'ride', jsonb_build_object('state', r.state,
    'price_kind', r.price_kind, 'cost_cents', r.cost_cents, 'seats', r.seats))`;
}

/** The booking of facts whose time is not the agreed one but that of `toldPickups`; null for others. */
export function roundedBookingOf(value: unknown): string | null {
  if (value === null || value === 'view') return null;
  const { is_rounded: isRounded, booking } = value as FactsRow;
  return isRounded === true ? (booking?.id ?? null) : null;
}

/**
 * The facts of an order from `orderFactsOf`; `view` where its view says them; null where it is gone.
 * @param toldPickups the times that people see who have not joined, by booking
 */
export function factsFrom(
  value: unknown,
  toldPickups: ReadonlyMap<string, Date>,
): OrderFacts | 'view' | null {
  if (value === null || value === 'view') return value;
  // The columns of `orderFactsOf`.
  const { order_number: orderNumber, at, ride, booking, ...row } = value as FactsRow;
  const route = { orderNumber, from: row.from_name, to: row.to_name, timeZone: row.time_zone };
  const rounded = roundedBookingOf(value);
  const departsAt = rounded === null ? new Date(at) : toldPickups.get(rounded);
  if (departsAt === undefined) return 'view';
  const facts = { ...route, departsAt: departsAt.toISOString() };
  if (ride == null) return facts;
  const { price_kind: priceKind, cost_cents: costCents } = ride;
  if (booking == null)
    return { ...facts, price: { cents: costCents, per: priceKind === 'perCar' ? 'car' : 'person' } };
  const { seats, fare_cents: ceiling } = booking;
  const isSettled = booking.is_over || endedRideStates.includes(ride.state);
  const seatsInAll = Math.max(ride.seats, seats + booking.other_seats);
  const least = isSettled
    ? ceiling
    : leastShareCents({ priceKind, costCents }, { seats, ceiling, seatsInAll });
  return {
    ...facts,
    bookingId: booking.id,
    price: { cents: ceiling, per: least < ceiling ? 'most' : 'share' },
  };
}
