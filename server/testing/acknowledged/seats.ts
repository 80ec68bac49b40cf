import type { Pool } from 'pg';
import { endedRideStates, seatedStates, type BookingState } from '#contract/rides/moves.ts';

/** Bookings that take seats of their ride; in the first state the seat is reserved for a passenger. */
export const takesSeats: readonly BookingState[] = ['waiting for passenger acceptance', ...seatedStates];

/**
 * Compares the seats that each stop has taken with the seats of the bookings on board there, and the bookings
 * that take seats with the route of their ride.
 * @param isHeard whether all signals have been delivered; until then a reserved seat may wait to be freed
 * @returns one sentence for each stop and each booking that differs
 */
export async function wrongSeats(
  pool: Pick<Pool, 'query'>,
  { isHeard }: { isHeard: boolean },
): Promise<string[]> {
  const { rows } = await pool.query<{ wrong: string }>(
    `with leg as (
       select ride.id as ride_id, booking.seats, pickup.position as from_position, dropoff.position as to_position
       from bookings booking
       join rides ride on ride.id = booking.ride_id
       join ride_stops pickup on pickup.ride_id = ride.id and pickup.booking_id = booking.id and pickup.kind = 'pickup'
       join ride_stops dropoff on dropoff.ride_id = ride.id and dropoff.booking_id = booking.id and dropoff.kind = 'dropoff'
       where booking.state = any($1) or booking.state = 'finished' or ride.state = any($2)
         or (not $3 and (booking.joined_at is null or booking.state in ('rejected', 'expired'))))
     select format('stop %s of ride %s has %s seats taken, its bookings have %s',
         stop.position, stop.ride_id, stop.seats_taken, coalesce(sum(leg.seats), 0)) as wrong
       from ride_stops stop
       left join leg on leg.ride_id = stop.ride_id and stop.position >= leg.from_position and stop.position < leg.to_position
       where stop.kind <> 'end'
       group by stop.ride_id, stop.position having stop.seats_taken <> coalesce(sum(leg.seats), 0)
     union all
     select format('booking %s is %s and has %s stops on its ride', booking.id, booking.state, count(stop.position))
       from bookings booking
       left join ride_stops stop on stop.ride_id = booking.ride_id and stop.booking_id = booking.id
       where booking.state = any($1)
       group by booking.id having count(stop.position) <> 2`,
    [takesSeats, endedRideStates, isHeard],
  );
  return rows.map(({ wrong }) => wrong);
}
