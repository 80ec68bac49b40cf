-- Locks a ride and its requests, and reads what decides about them, in one round trip. In a function each statement sees
-- what was committed before it began: what is read after the locks is not older than they are.
create function lock_orders(locked_ride uuid, beside uuid[]) returns jsonb language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  ride rides;
  request_ids uuid[];
begin
  select * into ride from rides where id = locked_ride for update;
  if not found then
    return null;
  end if;
  select array_agg(locked.id) into request_ids from (
    select id from requests where id in (
      select request_id from bookings where ride_id = locked_ride and ended_at is null
      union select request_id from waitlist where ride_id = locked_ride
      union select unnest(beside)
    ) order by id for update
  ) locked;
  request_ids := coalesce(request_ids, '{}');
  return jsonb_build_object(
    'ride', to_jsonb(ride),
    'requests', (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from requests r where r.id = any(request_ids)),
    'bookings', (select coalesce(jsonb_agg(to_jsonb(b)), '[]') from bookings b where b.request_id = any(request_ids)),
    'stops', (select coalesce(jsonb_agg(to_jsonb(s) order by s.position), '[]') from ride_stops s where s.ride_id = locked_ride),
    'waiting', (select coalesce(jsonb_agg(to_jsonb(w)), '[]') from waitlist w
      where w.ride_id = locked_ride or w.request_id = any(request_ids)),
    'spans', (select coalesce(jsonb_agg(jsonb_build_object('orderId', s.order_id, 'personId', s.person_id,
        'from', lower(s.during), 'until', upper(s.during))), '[]') from order_spans s
      where s.person_id = any(array(select passenger_id from requests where id = any(request_ids)) || ride.driver_id)),
    'isChanging', exists (select from change_proposals where ride_id = locked_ride and state = 'open'),
    'isAnotherWayOpen', exists (select from change_proposals where ride_id = locked_ride and state = 'open' and way is not null));
end $$;
--> statement-breakpoint
-- Takes a person's time for a new order, unless they have too many open ones or another in that time, and a number that no
-- order has had. Orders of one person wait for each other until their transactions end.
create function take_order_place(order_id uuid, person_id uuid, during tstzrange, most_open int, ended_rides text[],
  ended_requests text[], numbers text[]) returns jsonb language plpgsql
  set enable_seqscan = off as $$
#variable_conflict use_column
declare
  taken text;
begin
  perform pg_advisory_xact_lock(hashtextextended('orders:' || take_order_place.person_id, 0));
  if most_open is not null and most_open <= (
    select count(distinct thing) from (
      select coalesce(series_id, id) as thing from rides
        where driver_id = take_order_place.person_id and state <> all(ended_rides)
      union all
      select coalesce(series_id, id) from requests
        where passenger_id = take_order_place.person_id and state <> all(ended_requests)
      union all
      select id from order_series where owner_id = take_order_place.person_id and state = 'running'
    ) open) then
    return '{"outcome": "tooMany"}';
  end if;
  insert into order_spans (order_id, person_id, during)
    values (take_order_place.order_id, take_order_place.person_id, take_order_place.during) on conflict do nothing;
  if not found then
    return '{"outcome": "overlap"}';
  end if;
  foreach taken in array numbers loop
    insert into order_numbers (number) values (taken) on conflict do nothing;
    if found then
      return jsonb_build_object('outcome', 'taken', 'number', taken);
    end if;
  end loop;
  return '{"outcome": "noNumber"}';
end $$;
