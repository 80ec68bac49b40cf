import { veterans, type Load, type Shape } from './shape.ts';

/** Numbers of requests begin here among order numbers. */
const firstRequestNumber = 8_000_000;
/** Of the bookings of a ride that many have asked for and left again. */
export const crowdedRide = 300;

const spots = `'[{"lon":-122.02,"lat":36.97,"walkMetres":120,"name":"Walnut Avenue"},{"lon":-122.021,"lat":36.971,"walkMetres":260,"name":"Chestnut Street"},{"lon":-122.019,"lat":36.972,"walkMetres":410,"name":"Cedar Street"}]'::jsonb`;

/** Both ends of an order, in its town. */
const ends = {
  from_name: `'Mission Street'`,
  from_detail: `'Santa Cruz'`,
  from_lon: 'growth.lon(i, 60)',
  from_lat: 'growth.lat(i, 61)',
  to_name: `'Aptos Village'`,
  to_detail: `'Aptos'`,
  to_lon: 'growth.lon(i, 62)',
  to_lat: 'growth.lat(i, 63)',
  time_zone: `'America/Los_Angeles'`,
};
const route = {
  ...ends,
  estimated: 'false',
  drive_ms: '900000',
  drive_metres: '13000',
  seats: '3',
  contact_with: `'phone'`,
};
const rideEconomy = {
  price_kind: `'perPerson'`,
  cost_cents: `case i % 2 when 0 then 900 else 0 end`,
  max_detour_ms: '900000',
};

/** Every sixtieth open order is for an event to come, forty of a kind for each. */
const eventOf = (order: string) => `growth.key('event', 10 * (${order} / 2400))`;

export function orderLoads(shape: Shape): Load[] {
  return [
    ...past(shape),
    ...openOrders(shape),
    ...spansAndNumbers(shape),
    ...bookingsOf(shape),
    ...stopsOf(shape),
    ...historyOf(shape),
    ...linksAndWaits(shape),
    ...changesAndBreaks(shape),
    ...recurring(shape),
    ...disputedDays(shape),
    ...afterRides(shape),
  ];
}

/** The state of a past ride, and of the booking with its number. */
const rideState = (i: string) =>
  `case when (${i}) % 10 < 7 then 'finished' when (${i}) % 10 = 7 then 'cancel' else 'expired' end`;
const bookingState = (i: string, ride: string) =>
  `case when (${ride}) % 10 < 7 and (${i}) % 20 < 18 then 'finished' when (${i}) % 20 = 18 then 'rejected' else 'cancel' end`;

function past({ pastRides, pastRequests }: Shape): Load[] {
  return [
    {
      into: 'rides',
      count: pastRides,
      columns: {
        id: `growth.key('ride', i)`,
        order_number: 'growth.number(i)',
        ...route,
        ...rideEconomy,
        visibility: `case when i % 4 = 0 then 'all contacts' else 'all users' end`,
        state: rideState('i'),
        driver_id: 'growth.person(growth.driver(i))',
        vehicle_id: `growth.key('vehicle', growth.driver(i))`,
        earliest_departs_at: 'growth.past(i)',
        latest_departs_at: 'growth.past(i)',
        departs_at: 'growth.past(i)',
        arrives_at: `growth.past(i) + interval '20 minutes'`,
        created_at: `growth.past(i) - interval '2 days'`,
        ended_at: `growth.past(i) + interval '20 minutes'`,
      },
    },
    {
      into: 'requests',
      count: pastRequests,
      columns: {
        id: `growth.key('request', i)`,
        order_number: `growth.number(${firstRequestNumber} + i)`,
        ...route,
        seats: '1',
        visibility: `case when i % 4 = 0 then 'all contacts' else 'all users' end`,
        state: `case when ${bookingState('i', `i % ${pastRides}`)} = 'finished' then 'finished' when i % 2 = 0 then 'cancel' else 'expired' end`,
        passenger_id: 'growth.person(growth.passenger(i))',
        earliest_at: `growth.past(i % ${pastRides}) - interval '15 minutes'`,
        latest_at: `growth.past(i % ${pastRides}) + interval '30 minutes'`,
        arrive_by: `growth.past(i % ${pastRides}) + interval '90 minutes'`,
        walk_metres: '600',
        pickup_meeting_points: spots,
        dropoff_meeting_points: spots,
        created_at: `growth.past(i % ${pastRides}) - interval '1 day'`,
        ended_at: `growth.past(i % ${pastRides}) + interval '20 minutes'`,
      },
    },
  ];
}

/**
 * Open orders, one a person. Of the first of those with a long history is the crowded ride, far enough ahead
 * to leave them the days in which the calls publish.
 */
function openOrders({
  pastRides,
  pastRequests,
  openRides,
  openRequests,
  openBookings,
  drivers,
}: Shape): Load[] {
  const ride = `(i - ${pastRides})`;
  const request = `(i - ${pastRequests})`;
  const leaves = `case when ${ride} < ${veterans} then date_trunc('day', growth.now()) + interval '11 days 9 hours' else growth.coming(i) end`;
  const atRide = `case when ${request} < ${openBookings} then i - ${pastRequests} + ${pastRides} else i end`;
  const leavesWith = `case when ${request} < ${veterans} then date_trunc('day', growth.now()) + interval '11 days 9 hours' else growth.coming(${atRide}) end`;
  const overdueRide = `${ride} > ${openBookings} and ${ride} % ${Math.floor(openRides / 150)} = 3`;
  const overdueRequest = `${request} > ${openBookings} and ${request} % ${Math.floor(openRequests / 150)} = 3`;
  const ago = `growth.now() - interval '4 hours'`;
  const rideAt = `case when ${overdueRide} then ${ago} else ${leaves} end`;
  const requestAt = `case when ${overdueRequest} then ${ago} else ${leavesWith} end`;
  return [
    {
      into: 'rides',
      from: pastRides,
      count: openRides,
      columns: {
        id: `growth.key('ride', i)`,
        order_number: 'growth.number(i)',
        ...route,
        ...rideEconomy,
        event_id: `case when ${ride} % 60 = 59 then ${eventOf(ride)} end`,
        visibility: `case when i % 4 = 0 then 'all contacts' else 'all users' end`,
        state: `'matching'`,
        driver_id: `growth.person(${ride})`,
        vehicle_id: `growth.key('vehicle', ${ride})`,
        earliest_departs_at: rideAt,
        latest_departs_at: `${rideAt} + interval '15 minutes'`,
        departs_at: rideAt,
        arrives_at: `${rideAt} + interval '20 minutes'`,
        created_at: `growth.recent(i, 64, 14)`,
        next_at: `ride_next_at('matching', ${rideAt}, ${rideAt} + interval '15 minutes', ${rideAt} + interval '20 minutes', null, '-infinity')`,
      },
    },
    {
      into: 'requests',
      from: pastRequests,
      count: openRequests,
      columns: {
        id: `growth.key('request', i)`,
        order_number: `growth.number(${firstRequestNumber} + i)`,
        ...route,
        seats: '1',
        event_id: `case when ${request} % 60 = 59 then ${eventOf(request)} end`,
        visibility: `case when i % 4 = 0 then 'all contacts' else 'all users' end`,
        state: `case when ${request} >= ${openBookings} then 'matching' when ${request} % 3 = 2 then 'requesting' else 'joined' end`,
        passenger_id: `growth.person(${drivers} + ${request})`,
        earliest_at: `${requestAt} - interval '15 minutes'`,
        latest_at: `${requestAt} + interval '30 minutes'`,
        arrive_by: `${requestAt} + interval '90 minutes'`,
        walk_metres: '600',
        pickup_meeting_points: spots,
        dropoff_meeting_points: spots,
        created_at: `growth.recent(i, 64, 14)`,
      },
    },
  ];
}

function spansAndNumbers({
  pastRides,
  pastRequests,
  openRides,
  openRequests,
  openBookings,
  drivers,
}: Shape): Load[] {
  const ride = `(i - ${pastRides})`;
  const request = `(i - ${pastRequests})`;
  const leaves = `case when ${ride} < ${veterans} then date_trunc('day', growth.now()) + interval '11 days 9 hours' else growth.coming(i) end`;
  const atRide = `case when ${request} < ${openBookings} then i - ${pastRequests} + ${pastRides} else i end`;
  const leavesWith = `case when ${request} < ${veterans} then date_trunc('day', growth.now()) + interval '11 days 9 hours' else growth.coming(${atRide}) end`;
  const overdueRide = `${ride} > ${openBookings} and ${ride} % ${Math.floor(openRides / 150)} = 3`;
  const overdueRequest = `${request} > ${openBookings} and ${request} % ${Math.floor(openRequests / 150)} = 3`;
  const ago = `growth.now() - interval '4 hours'`;
  const rideAt = `case when ${overdueRide} then ${ago} else ${leaves} end`;
  const requestAt = `case when ${overdueRequest} then ${ago} else ${leavesWith} end`;
  return [
    {
      into: 'order_spans',
      from: pastRides,
      count: openRides,
      columns: {
        order_id: `growth.key('ride', i)`,
        person_id: `growth.person(${ride})`,
        during: `tstzrange(${rideAt}, ${rideAt} + interval '35 minutes')`,
      },
    },
    {
      into: 'order_spans',
      from: pastRequests,
      count: openRequests,
      columns: {
        order_id: `growth.key('request', i)`,
        person_id: `growth.person(${drivers} + ${request})`,
        during: `tstzrange(${requestAt} - interval '15 minutes', ${requestAt} + interval '50 minutes')`,
      },
    },
    ...numbers(0, pastRides + openRides),
    ...numbers(firstRequestNumber, pastRequests + openRequests),
  ];
}

const numbers = (from: number, count: number): Load[] => [
  { into: 'order_numbers', from, count, columns: { number: 'growth.number(i)' } },
];

const meeting = {
  seats: '1',
  started_by: `'passenger'`,
  pickup_lon: 'growth.lon(i, 60)',
  pickup_lat: 'growth.lat(i, 61)',
  dropoff_lon: 'growth.lon(i, 62)',
  dropoff_lat: 'growth.lat(i, 63)',
  pickup_walk_metres: '120',
  dropoff_walk_metres: '80',
  fare_cents: `case i % 2 when 0 then 900 else 0 end`,
  detour_ms: '180000',
  detour_metres: '1500',
};

function bookingsOf({ pastRides, pastRequests, openBookings, drivers }: Shape): Load[] {
  const ride = `i % ${pastRides}`;
  const state = bookingState('i', ride);
  const openRide = `(${pastRides} + i - ${pastRequests})`;
  return [
    {
      into: 'bookings',
      count: pastRequests,
      columns: {
        id: `growth.key('booking', i)`,
        ride_id: `growth.key('ride', ${ride})`,
        request_id: `growth.key('request', i)`,
        driver_id: `growth.person(growth.driver(${ride}))`,
        passenger_id: 'growth.person(growth.passenger(i))',
        ...meeting,
        state,
        pickup_at: `growth.past(${ride}) + interval '5 minutes'`,
        dropoff_at: `growth.past(${ride}) + interval '18 minutes'`,
        joined_at: `case when ${state} = 'finished' then growth.past(${ride}) - interval '12 hours' end`,
        created_at: `growth.past(${ride}) - interval '1 day'`,
        ended_at: `growth.past(${ride}) + interval '20 minutes'`,
      },
    },
    {
      into: 'bookings',
      from: pastRequests,
      count: openBookings,
      columns: {
        id: `growth.key('booking', i)`,
        ride_id: `growth.key('ride', ${openRide})`,
        request_id: `growth.key('request', i)`,
        driver_id: `growth.person(i - ${pastRequests})`,
        passenger_id: `growth.person(${drivers} + i - ${pastRequests})`,
        ...meeting,
        state: `case when (i - ${pastRequests}) % 3 = 2 then 'requesting' else 'joined' end`,
        pickup_at: `growth.coming(${openRide}) + interval '5 minutes'`,
        dropoff_at: `growth.coming(${openRide}) + interval '18 minutes'`,
        expires_at: `case when (i - ${pastRequests}) % 3 = 2 then growth.now() + (0.02 + growth.unit(i, 65)) * interval '1 day' end`,
        joined_at: `case when (i - ${pastRequests}) % 3 = 2 then null else growth.recent(i, 66, 3) end`,
        remind_at: `case when (i - ${pastRequests}) % 3 = 2 then null else growth.now() + growth.unit(i, 67) * interval '1 day' - interval '5 minutes' end`,
        created_at: `growth.recent(i, 66, 3) - interval '1 hour'`,
      },
    },
    {
      // Those who asked for one ride and left again.
      into: 'bookings',
      from: 40_000,
      count: crowdedRide,
      columns: {
        id: `growth.key('left', i)`,
        ride_id: `growth.key('ride', ${pastRides})`,
        request_id: `growth.key('request', i)`,
        driver_id: 'growth.person(0)',
        passenger_id: 'growth.person(growth.passenger(i))',
        ...meeting,
        state: `'cancel'`,
        pickup_at: `growth.coming(i)`,
        dropoff_at: `growth.coming(i) + interval '10 minutes'`,
        created_at: 'growth.recent(i, 66, 3)',
        ended_at: 'growth.now()',
      },
    },
  ];
}

/** Two ends, and of every second past ride the stops of its first passenger. */
function stopsOf({ pastRides, pastRequests, openRides, openBookings }: Shape): Load[] {
  const columns = (ride: string, at: string, booking: string, taken: string) => ({
    ride_id: `growth.key('ride', ${ride})`,
    position: 'i % 4',
    kind: `(array['start','pickup','dropoff','end'])[1 + i % 4]`,
    booking_id: `case when i % 4 in (1, 2) then ${booking} end`,
    lon: `growth.lon(${ride}, 60)`,
    lat: `growth.lat(${ride}, 61)`,
    at: `${at} + (i % 4) * interval '5 minutes'`,
    stands_ms: '0',
    to_next_ms: `case i % 4 when 3 then 0 else 300000 end`,
    to_next_metres: `case i % 4 when 3 then 0 else 4000 end`,
    seats_taken: taken,
    seats: '3',
  });
  const bare = (from: number, count: number, at: string): Load => ({
    into: 'ride_stops',
    from: 2 * from,
    count: 2 * count,
    columns: {
      ride_id: `growth.key('ride', i / 2)`,
      position: 'i % 2',
      kind: `case i % 2 when 0 then 'start' else 'end' end`,
      lon: `case i % 2 when 0 then growth.lon(i / 2, 60) else growth.lon(i / 2, 62) end`,
      lat: `case i % 2 when 0 then growth.lat(i / 2, 61) else growth.lat(i / 2, 63) end`,
      at: `growth.${at}(i / 2) + (i % 2) * interval '15 minutes'`,
      stands_ms: '0',
      to_next_ms: `case i % 2 when 0 then 900000 else 0 end`,
      to_next_metres: `case i % 2 when 0 then 13000 else 0 end`,
      seats: '3',
    },
  });
  const first = pastRides;
  return [
    {
      into: 'ride_stops',
      count: 2 * pastRides,
      columns: columns('i / 4', 'growth.past(i / 4)', `growth.key('booking', i / 4)`, '0'),
    },
    bare(Math.floor(pastRides / 2), pastRides - Math.floor(pastRides / 2), 'past'),
    {
      into: 'ride_stops',
      count: 4 * openBookings,
      columns: columns(
        `(${first} + i / 4)`,
        `growth.coming(${first} + i / 4)`,
        `growth.key('booking', ${pastRequests} + i / 4)`,
        `case when i % 4 = 1 and (i / 4) % 3 <> 2 then 1 else 0 end`,
      ),
    },
    bare(pastRides + openBookings, openRides - openBookings, 'coming'),
  ];
}

/** The timeline: a few moves of every order and booking. */
function historyOf({ pastRides, pastRequests }: Shape): Load[] {
  const entry = (thing: string, count: number, of: Record<string, string>): Load => ({
    into: 'move_history',
    count,
    columns: { thing: `'${thing}'`, ...of },
  });
  const ride = `(i / 3) % ${pastRides}`;
  return [
    entry('ride', 2 * pastRides, {
      thing_id: `growth.key('ride', i / 2)`,
      ride_id: `growth.key('ride', i / 2)`,
      move: `case i % 2 when 0 then 'publish' else 'arrive' end`,
      to_state: `case i % 2 when 0 then 'matching' else 'finished' end`,
      actor: `'driver'`,
      actor_id: 'growth.person(growth.driver(i / 2))',
      at: 'growth.past(i / 2)',
    }),
    entry('request', pastRequests, {
      thing_id: `growth.key('request', i)`,
      request_id: `growth.key('request', i)`,
      move: `'publish'`,
      to_state: `'matching'`,
      actor: `'passenger'`,
      actor_id: 'growth.person(growth.passenger(i))',
      at: `growth.past(i % ${pastRides})`,
    }),
    entry('booking', 3 * pastRequests, {
      thing_id: `growth.key('booking', i / 3)`,
      ride_id: `growth.key('ride', ${ride})`,
      request_id: `growth.key('request', i / 3)`,
      move: `(array['ask','accept','dropOff'])[1 + i % 3]`,
      from_state: `(array[null,'requesting','picked'])[1 + i % 3]`,
      to_state: `(array['requesting','joined','finished'])[1 + i % 3]`,
      actor: `(array['passenger','driver','system'])[1 + i % 3]`,
      actor_id: `growth.person(growth.passenger(i / 3))`,
      at: `growth.past(${ride})`,
    }),
  ];
}

function linksAndWaits({ people, pastRides, pastRequests, openRides }: Shape): Load[] {
  return [
    {
      into: 'waitlist',
      count: people / 100,
      columns: {
        ride_id: `growth.key('ride', ${pastRides} + i % ${openRides})`,
        request_id: `growth.key('request', ${pastRequests} + 7 + i)`,
        passenger_id: 'growth.person(i)',
        created_at: 'growth.recent(i, 70, 5)',
      },
    },
    {
      into: 'share_links',
      count: people / 5,
      columns: {
        id: `growth.key('link', i)`,
        order_id: `growth.key('ride', i)`,
        owner_id: 'growth.person(growth.driver(i))',
        code_hash: `md5('link' || i)`,
        short_hash: `md5('short' || i)`,
        made_at: 'growth.past(i)',
      },
    },
    {
      into: 'order_grants',
      count: (2 * people) / 5,
      columns: {
        order_id: `growth.key('ride', i / 2)`,
        person_id: `growth.person(case when i % 2 = 0 and i < 20000 then (i / 2) % 5 else 10 + i end)`,
        link_id: `growth.key('link', i / 2)`,
        at: 'growth.past(i / 2)',
      },
    },
  ];
}

function changesAndBreaks({ people }: Shape): Load[] {
  return [
    {
      into: 'change_proposals',
      count: people / 20,
      columns: {
        id: `growth.key('change', i)`,
        ride_id: `growth.key('ride', i)`,
        driver_id: 'growth.person(growth.driver(i))',
        state: `'applied'`,
        departs_at: 'growth.past(i)',
        cost_cents: '900',
        created_at: `growth.past(i) - interval '1 day'`,
        expires_at: `growth.past(i) - interval '12 hours'`,
        next_at: `growth.past(i) - interval '12 hours'`,
        ended_at: `growth.past(i) - interval '12 hours'`,
      },
    },
    {
      into: 'change_answers',
      count: people / 20,
      columns: {
        proposal_id: `growth.key('change', i)`,
        booking_id: `growth.key('booking', i)`,
        passenger_id: 'growth.person(growth.passenger(i))',
        accepted: 'true',
        at: 'growth.past(i)',
      },
    },
    {
      into: 'interrupted_rides',
      count: people / 50,
      columns: {
        ride_id: `growth.key('ride', i * 10 + 7)`,
        driver_id: 'growth.person(growth.driver(i * 10 + 7))',
        by: `'driver'`,
        kind: `'breakdown'`,
        source: `'stop'`,
        lon: '-122.02',
        lat: '36.97',
        place: `'Highway 1'`,
        at: 'growth.past(i * 10 + 7)',
      },
    },
    {
      into: 'interrupted_bookings',
      count: people / 50,
      columns: {
        booking_id: `growth.key('booking', i * 10 + 7)`,
        ride_id: `growth.key('ride', i * 10 + 7)`,
        ridden_metres: '3000',
        route_metres: '9000',
        share_cents: '300',
      },
    },
  ];
}

function recurring({ people }: Shape): Load[] {
  const series = people / 10;
  const place = (name: string, salt: number) =>
    `jsonb_build_object('name', '${name}', 'detail', 'Santa Cruz', 'lon', growth.lon(i, ${salt}), 'lat', growth.lat(i, ${salt + 1}))`;
  return [
    {
      into: 'recurring_rides',
      count: series,
      columns: {
        id: `growth.key('series', i)`,
        owner_id: `growth.person(case when i < 100 then i % ${veterans} else i end)`,
        state: `case when i % 3 = 0 then 'running' else 'ended' end`,
        template: `jsonb_build_object('role', 'driver', 'from', ${place('Mission Street', 60)}, 'to', ${place('Aptos Village', 62)}, 'via', '[]'::jsonb, 'seats', 3, 'vehicleId', null, 'priceKind', 'perPerson', 'costCents', 0, 'maxDetourMinutes', 15, 'flexMinutes', 15, 'instant', false, 'visibility', 'all users', 'tagIds', '[]'::jsonb, 'note', '', 'contactWith', 'phone', 'flightNumber', '', 'preferences', '{"pets":false,"luggage":false,"quiet":false,"women":false}'::jsonb)`,
        time_zone: `'America/Los_Angeles'`,
        weekdays: `array[1,2,3,4,5]`,
        local_time: `'08:15'`,
        from_day: `'2026-01-05'`,
        until_day: `to_char(growth.now() + interval '60 days', 'YYYY-MM-DD')`,
        due_at: `case when i % 3 = 0 then growth.now() + (growth.unit(i, 72) - 0.01) * interval '1 day' end`,
        created_at: 'growth.recent(i, 73, 300)',
        ended_at: `case when i % 3 = 0 then null else growth.now() - interval '1 day' end`,
      },
    },
    {
      into: 'recurring_days',
      count: 20 * series,
      columns: {
        recurring_id: `growth.key('series', i / 20)`,
        // All but the last two of the days that stand published ahead: those that are due.
        day: `to_char(growth.now() + (12 - i % 20) * interval '1 day', 'YYYY-MM-DD')`,
        outcome: `'published'`,
        order_id: `growth.key('ride', i)`,
      },
    },
    {
      into: 'commutes',
      count: people / 2,
      columns: {
        id: `growth.key('commute', i)`,
        person_id: 'growth.person(i)',
        role: `case i % 2 when 0 then 'driver' else 'passenger' end`,
        from_area: 'growth.area(growth.lon(i, 60), growth.lat(i, 61))',
        to_area: 'growth.area(growth.lon(i, 62), growth.lat(i, 63))',
        from_label: `''`,
        to_label: `''`,
        from_lon: 'growth.lon(i, 60)',
        from_lat: 'growth.lat(i, 61)',
        to_lon: 'growth.lon(i, 62)',
        to_lat: 'growth.lat(i, 63)',
        drive_ms: '900000',
        max_detour_ms: '900000',
        corridor: `array[growth.area(growth.lon(i, 60), growth.lat(i, 61)), growth.area(growth.lon(i, 62), growth.lat(i, 63))]`,
        days: '31',
        minute: '(growth.pick(i, 74, 1440))::int',
        part: '(growth.pick(i, 74, 4))::int',
        time_zone: `'America/Los_Angeles'`,
        visibility: `'all users'`,
        women: 'false',
        is_counted: 'i % 3 <> 0',
        is_regular: 'i % 2 = 0',
      },
    },
  ];
}

/** Rows that follow from rides that did not go as agreed. */
function disputedDays({ people, pastRides }: Shape): Load[] {
  const ofBooking = {
    booking_id: `growth.key('booking', i)`,
    ride_id: `growth.key('ride', i % ${pastRides})`,
    driver_id: `growth.person(growth.driver(i % ${pastRides}))`,
    passenger_id: 'growth.person(growth.passenger(i))',
  };
  const at = `growth.past(i % ${pastRides})`;
  return [
    {
      into: 'strikes',
      count: people / 20,
      columns: {
        ride_id: `growth.key('ride', i)`,
        driver_id: 'growth.person(growth.driver(i))',
        at: 'growth.past(i)',
      },
    },
    {
      into: 'ride_questions',
      count: people / 30,
      columns: {
        ...ofBooking,
        asked_at: at,
        answer_by: `${at} + interval '2 days'`,
        outcome: `'happened'`,
        closed_at: `${at} + interval '1 day'`,
      },
    },
    {
      into: 'driver_reports',
      count: people / 30,
      columns: {
        ...ofBooking,
        by: `'passenger'`,
        at,
        resolve_at: `${at} + interval '1 day'`,
        outcome: `'upheld'`,
        closed_at: `${at} + interval '1 day'`,
      },
    },
    {
      into: 'contact_attempts',
      count: people / 10,
      columns: {
        id: `growth.key('attempt', i)`,
        booking_id: `growth.key('booking', i)`,
        driver_id: `growth.person(growth.driver(i % ${pastRides}))`,
        kind: `'call'`,
        at,
      },
    },
  ];
}

function afterRides({ people, pastRides }: Shape): Load[] {
  const at = `growth.past(i % ${pastRides})`;
  return [
    {
      into: 'rebooking_emails',
      count: people / 20,
      columns: { booking_id: `growth.key('booking', i)`, at },
    },
    {
      // Of rides that have not ended, and of a few that ended an hour ago.
      into: 'trip_shares',
      count: people / 100,
      columns: {
        id: `growth.key('share', i)`,
        ride_id: `growth.key('ride', case when i < 500 then i else ${pastRides} + i end)`,
        owner_id: `growth.person(case when i < 500 then growth.driver(i) else i end)`,
        to_id: 'growth.person(7 + i % 1000)',
        secret_hash: `md5('share' || i)`,
        created_at: 'growth.past(i)',
      },
    },
    {
      into: 'alarms',
      count: people / 50,
      columns: {
        id: `growth.key('alarm', i)`,
        ride_id: `growth.key('ride', i)`,
        person_id: 'growth.person(growth.driver(i))',
        at: 'growth.past(i)',
      },
    },
    {
      into: 'reviews',
      count: Math.floor(pastRides * 0.9),
      columns: {
        id: `growth.key('review', i)`,
        booking_id: `growth.key('booking', i)`,
        ride_id: `growth.key('ride', i)`,
        author_id: 'growth.person(growth.passenger(i))',
        subject_id: 'growth.person(growth.driver(i))',
        stars: '4 + (i % 2)::int',
        tags: `array['onTime']`,
        words: `'A pleasant ride.'`,
        created_at: `case when i % 200 = 3 then growth.recent(i, 75, 13) else growth.past(i) + interval '1 hour' end`,
        published_at: `case when i % 200 = 3 then null else growth.past(i) + interval '1 day' end`,
        // Some are due.
        publish_at: `case when i % 200 = 3 then growth.recent(i, 75, 13) + interval '13 days 23 hours' else growth.past(i) + interval '14 days' end`,
      },
    },
    ...ridesUnderWay(pastRides),
  ];
}

/** Where cars are: of rides that have not ended. */
const ridesUnderWay = (pastRides: number): Load[] => [
  {
    into: 'ride_positions',
    from: pastRides + veterans,
    count: 500,
    columns: {
      ride_id: `growth.key('ride', i)`,
      driver_id: `growth.person(i - ${pastRides})`,
      lon: '-122.02',
      lat: '36.97',
      at: 'growth.now()',
    },
  },
];
