-- In place of lock_orders (migration 0051), which servers of the release before still call. Its plans are kept whatever the
-- values: making them anew took longer than running them. Rows go as JSON in text form, which costs less than the binary one.
-- Of a request's ended bookings it reads those that count on: joined once, at a side's fault, or among the latest five. It
-- tells who the people of these orders are, the driver first, so that the statement that calls it can say more of them.
create function lock_ride(locked_ride uuid, beside uuid[], out orders json, out people uuid[]) language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  ride rides;
  request_ids uuid[];
begin
  select * into ride from rides where id = locked_ride for update;
  if not found then
    return;
  end if;
  select array_agg(locked.id) into request_ids from (
    select id from requests where id in (
      select request_id from bookings where ride_id = locked_ride and ended_at is null
      union select request_id from waitlist where ride_id = locked_ride
      union select unnest(beside)
    ) order by id for update
  ) locked;
  request_ids := coalesce(request_ids, '{}');
  people := ride.driver_id || array(select passenger_id from requests where id = any(request_ids));
  orders := json_build_object(
    'ride', row_to_json(ride),
    'requests', (select coalesce(json_agg(r), '[]') from requests r where r.id = any(request_ids)),
    'bookings', (select coalesce(json_agg(b), '[]') from (
      select own.*, row_number() over (partition by own.request_id order by own.created_at desc, own.id desc) as age
      from bookings own where own.request_id = any(request_ids)
    ) b where b.ended_at is null or b.joined_at is not null or b.fault is not null or b.age <= 5),
    'stops', (select coalesce(json_agg(s order by s.position), '[]') from ride_stops s where s.ride_id = locked_ride),
    'waiting', (select coalesce(json_agg(w), '[]') from waitlist w
      where w.ride_id = locked_ride or w.request_id = any(request_ids)),
    'spans', (select coalesce(json_agg(json_build_object('orderId', s.order_id, 'personId', s.person_id,
        'from', lower(s.during), 'until', upper(s.during))), '[]') from order_spans s
      where s.person_id = any(people)),
    'isChanging', exists (select from change_proposals where ride_id = locked_ride and state = 'open'),
    'isAnotherWayOpen', exists (select from change_proposals where ride_id = locked_ride and state = 'open' and way is not null));
end $$;
