import { perVeteran, veterans, type Load, type Shape } from './shape.ts';

const linesPerRoom = 20;

/** Rooms and their lines, notifications, alerts, events. */
export function talkLoads(shape: Shape): Load[] {
  return [
    ...pastRooms(shape),
    ...longRoom(shape),
    ...told(shape),
    ...alertLoads(shape),
    ...eventLoads(shape),
  ];
}

function pastRooms({ lines, pastRides }: Shape): Load[] {
  const { roomLines } = perVeteran;
  const count = Math.floor((lines - roomLines) / linesPerRoom);
  const ride = (room: string) => `((${room}) * 2 % ${pastRides})`;
  const member = (person: string): Load => ({
    into: 'chat_members',
    count: Math.min(count, pastRides / 2),
    columns: {
      room_id: `growth.key('ride', 2 * i)`,
      user_id: person,
      read_seq: `case when i % 20 = 0 then ${linesPerRoom - 1} else ${linesPerRoom} end`,
      read_said: `case when i % 20 = 0 then ${linesPerRoom - 1} else ${linesPerRoom} end`,
      joined_at: 'growth.past(2 * i)',
    },
  });
  const line = (of: Record<string, string>) => ({
    client_id: `growth.key('line', i)`,
    kind: `'text'`,
    text: `'I am at the corner, by the blue car. ' || i`,
    ...of,
  });
  return [
    {
      into: 'chat_rooms',
      count: Math.min(count, pastRides / 2),
      columns: {
        id: `growth.key('ride', 2 * i)`,
        ride_id: `growth.key('ride', 2 * i)`,
        last_seq: `${linesPerRoom}`,
        said: `${linesPerRoom}`,
        created_at: 'growth.past(2 * i)',
        closed_at: `growth.past(2 * i) + interval '1 day'`,
        closed_because: `'ended'`,
      },
    },
    member('growth.person(growth.driver(2 * i))'),
    member('growth.person(growth.passenger(2 * i))'),
    {
      into: 'chat_messages',
      count: Math.min(count, pastRides / 2) * linesPerRoom,
      columns: line({
        room_id: `growth.key('ride', ${ride(`i / ${linesPerRoom}`)})`,
        seq: `i % ${linesPerRoom} + 1`,
        said: `i % ${linesPerRoom} + 1`,
        sender_id: `growth.person(case i % 2 when 0 then growth.driver(${ride(`i / ${linesPerRoom}`)}) else growth.passenger(${ride(`i / ${linesPerRoom}`)}) end)`,
        at: `growth.past(${ride(`i / ${linesPerRoom}`)}) - (${linesPerRoom} - i % ${linesPerRoom}) * interval '1 minute'`,
      }),
    },
  ];
}

function longRoom({ lines, pastRides }: Shape): Load[] {
  const { roomLines } = perVeteran;
  const line = (of: Record<string, string>) => ({
    client_id: `growth.key('line', i)`,
    kind: `'text'`,
    text: `'I am at the corner, by the blue car. ' || i`,
    ...of,
  });
  const id = `growth.key('ride', ${pastRides})`;
  return [
    {
      into: 'chat_rooms',
      from: pastRides,
      count: 1,
      columns: {
        id,
        ride_id: id,
        last_seq: `${roomLines}`,
        said: `${roomLines}`,
        created_at: `growth.now() - interval '13 days'`,
      },
    },
    {
      into: 'chat_members',
      count: veterans,
      columns: {
        room_id: id,
        user_id: 'growth.person(i)',
        read_seq: `${roomLines - 40}`,
        read_said: `${roomLines - 40}`,
        joined_at: `growth.now() - interval '13 days'`,
      },
    },
    {
      into: 'chat_messages',
      from: lines,
      count: roomLines,
      columns: line({
        room_id: id,
        seq: `i - ${lines} + 1`,
        said: `i - ${lines} + 1`,
        sender_id: `growth.person(i % ${veterans})`,
        at: `growth.now() - (${lines + roomLines} - i) * interval '20 seconds'`,
      }),
    },
  ];
}

/** Those with a long history get the first notifications. */
function told({ notices, pastRides, people }: Shape): Load[] {
  const ofVeterans = veterans * perVeteran.notices;
  const person = `growth.person(case when i < ${ofVeterans} then i % ${veterans} else ${veterans} + floor(power(growth.unit(i, 80), 2) * ${people - veterans})::bigint end)`;
  const at = 'growth.recent(i, 81, 59)';
  const ride = `(i % ${pastRides})`;
  const isDue = `i % ${Math.floor(notices / 300)} = 7`;
  return [
    {
      into: 'notifications',
      count: notices,
      columns: {
        id: `growth.key('notification', i)`,
        user_id: person,
        other_id: `case when i % 3 = 0 then growth.person(growth.driver(${ride})) end`,
        source: `'signal:' || i`,
        thing: `'order:' || growth.key('ride', ${ride})`,
        kind: `'answer'`,
        word: `'accepted'`,
        facts: `jsonb_build_object('orderNumber', growth.number(${ride}), 'from', 'Mission Street', 'to', 'Aptos Village', 'departsAt', '2026-11-24T17:00:00.000Z', 'timeZone', 'America/Los_Angeles')`,
        path: `'/pages/ride/detail?id=' || growth.key('ride', ${ride})`,
        at,
        seen_at: `case when ${isDue} then null else ${at} end`,
        read_at: `case when i % 40 = 1 or ${isDue} then null else ${at} + interval '1 hour' end`,
      },
    },
    {
      into: 'notification_deliveries',
      count: notices,
      columns: {
        id: `growth.key('notice', i)`,
        notification_id: `growth.key('notification', i)`,
        user_id: person,
        channel: `'email'`,
        due_at: `case when ${isDue} then growth.now() - interval '5 minutes' else ${at} end`,
        sent_at: `case when ${isDue} then null else ${at} + interval '1 minute' end`,
        left_at: `case when ${isDue} then null else ${at} + interval '1 minute' end`,
      },
    },
  ];
}

function alertLoads({ people, pastRides, openRides }: Shape): Load[] {
  const count = people / 5;
  return [
    {
      into: 'alerts',
      count,
      columns: {
        id: `growth.key('alert', i)`,
        // Half of the twenty that one may have.
        owner_id: `growth.person(case when i < 50 then i % ${veterans} else i end)`,
        role: `'passenger'`,
        from_name: `'Mission Street'`,
        from_detail: `'Santa Cruz'`,
        from_lon: 'growth.lon(i, 60)',
        from_lat: 'growth.lat(i, 61)',
        to_name: `'Aptos Village'`,
        to_detail: `'Aptos'`,
        to_lon: 'growth.lon(i, 62)',
        to_lat: 'growth.lat(i, 63)',
        time_zone: `'America/Los_Angeles'`,
        estimated: 'false',
        drive_ms: '900000',
        drive_metres: '13000',
        seats: '1',
        days: `array[1,2,3,4,5]`,
        from_time: `'08:00'`,
        to_time: `'09:00'`,
        walk_metres: '600',
        sameness: `i::text`,
        ends_at: `growth.now() + interval '14 days'`,
        // Those with a hit that waits for an email, most of them until their owner may be notified again.
        next_at: `case when i % 10 = 0 then growth.now() + growth.unit(i, 86) * interval '1 hour' - interval '1 minute' end`,
        created_at: 'growth.recent(i, 82, 300)',
      },
    },
    {
      into: 'alert_windows',
      count: 10 * count,
      columns: {
        alert_id: `growth.key('alert', i / 10)`,
        earliest_at: `growth.coming(i / 10) + (i % 10) * interval '1 day'`,
        latest_at: `growth.coming(i / 10) + (i % 10) * interval '1 day' + interval '1 hour'`,
        reach: 'place_box(growth.lon(i / 10, 60), growth.lat(i / 10, 61))',
      },
    },
    {
      into: 'alert_hits',
      count: 5 * count,
      columns: {
        alert_id: `growth.key('alert', i / 5)`,
        ride_id: `growth.key('ride', ${pastRides - 2 * openRides} + (i % ${3 * openRides}))`,
        pickup_at: 'growth.coming(i)',
        dropoff_at: `growth.coming(i) + interval '15 minutes'`,
        fare_cents: '900',
        detour_ms: '120000',
        found_at: 'growth.recent(i, 83, 20)',
        read_at: `case when i % 3 = 0 then growth.now() end`,
        emailed_at: `case when i % 50 = 1 then null else growth.now() end`,
      },
    },
  ];
}

function eventLoads({ people, pastRides, pastRequests, openRides }: Shape): Load[] {
  const count = people / 50;
  const isComing = 'i % 10 = 0';
  const pairs = Math.floor(openRides / 120);
  // People with a long history have the first orders: events must not be theirs alone.
  const order = '(17 * i)';
  return [
    {
      into: 'events',
      count,
      columns: {
        id: `growth.key('event', i)`,
        organizer_id: `growth.person(case when i < 25 then i % ${veterans} else i end)`,
        name: `'Concert ' || i`,
        at_name: `'Civic Auditorium'`,
        at_detail: `'Santa Cruz'`,
        at_lon: 'growth.lon(i, 62)',
        at_lat: 'growth.lat(i, 63)',
        starts_at: `case when ${isComing} then growth.coming(i) else growth.past(i) end`,
        ends_at: `case when ${isComing} then growth.coming(i) else growth.past(i) end + interval '3 hours'`,
        time_zone: `'America/Los_Angeles'`,
        visibility: `case when i % 3 = 0 then 'link' else 'public' end`,
        created_at: 'growth.recent(i, 84, 300)',
      },
    },
    {
      into: 'event_places',
      count: pairs,
      columns: {
        id: `growth.key('place', i)`,
        event_id: `growth.key('event', 10 * (i / 40))`,
        ride_id: `growth.key('ride', ${pastRides} + i * 60 + 59)`,
        request_id: `growth.key('request', ${pastRequests} + i * 60 + 59)`,
        driver_id: 'growth.person(i * 60 + 59)',
        passenger_id: 'growth.person(i)',
        state: `case when i % 2 = 0 then 'open' else 'declined' end`,
        pickup_at: 'growth.coming(i)',
        dropoff_at: `growth.coming(i) + interval '15 minutes'`,
        created_at: 'growth.recent(i, 85, 3)',
      },
    },
    {
      into: 'event_places',
      count: people / 10,
      columns: {
        id: `growth.key('past place', i)`,
        event_id: `growth.key('event', 1 + i / 10)`,
        ride_id: `growth.key('ride', ${order})`,
        request_id: `growth.key('request', ${order})`,
        driver_id: `growth.person(growth.driver(${order}))`,
        passenger_id: `growth.person(growth.passenger(${order}))`,
        state: `'gone'`,
        pickup_at: `growth.past(${order})`,
        dropoff_at: `growth.past(${order}) + interval '15 minutes'`,
        created_at: `growth.past(${order})`,
        ended_at: `growth.past(${order})`,
      },
    },
  ];
}
