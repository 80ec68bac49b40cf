-- As lock_ride_orders (0077), which serves the former release: rows that the process knows in the version that is there
-- are answered with their id alone, all others with the transaction that wrote them.
create function lock_and_read_orders(wanted uuid[], beside uuid[], waits boolean, known jsonb, out orders json, out people uuid[])
  language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  ride_ids uuid[];
  request_ids uuid[];
  on_route uuid[];
begin
  if waits then
    ride_ids := array(select id from rides where id = any(wanted) order by id for no key update);
  else
    ride_ids := array(select id from rides where id = any(wanted) order by id for no key update skip locked);
  end if;
  if ride_ids = '{}' then
    return;
  end if;
  on_route := array(select booking_id from ride_stops where ride_id = any(ride_ids) and booking_id is not null);
  request_ids := array(
    select id from requests where id = any(array(
      select request_id from bookings where ride_id = any(ride_ids) and ended_at is null
      union select request_id from bookings where id = any(on_route)
      union select request_id from waitlist where ride_id = any(ride_ids)
      union select unnest(beside)
    )) order by id for no key update
  );
  people := array(select driver_id from rides where id = any(ride_ids)
    union select passenger_id from requests where id = any(request_ids));
  orders := json_build_object(
    'rides', (
      select json_agg(case when known ->> r.id::text = r.xmin::text then to_json(r.id) else json_build_array(r.xmin, r) end)
      from rides r where r.id = any(ride_ids)),
    'requests', (
      select coalesce(json_agg(case when known ->> q.id::text = q.xmin::text then to_json(q.id) else json_build_array(q.xmin, (
        select r from (select q.id, q.order_number, q.version, q.region_id, q.from_name, q.from_detail, q.from_lon, q.from_lat, q.to_name, q.to_detail,
          q.to_lon, q.to_lat, q.time_zone, q.estimated, q.drive_ms, q.drive_metres, q.seats, q.visibility, q.tag_ids, q.note, q.contact_with,
          q.pets, q.luggage, q.quiet, q.women, q.flight_number, q.pair_id, q.series_id, q.created_at, q.event_id, q.state, q.passenger_id,
          q.earliest_at, q.latest_at, q.arrive_by, q.offer_cents, q.walk_metres, q.spots_version, q.ended_at) r)) end), '[]')
      from requests q where q.id = any(request_ids)),
    'bookings', (
      select coalesce(json_agg(case when known ->> b.id::text = b.xmin::text then to_json(b.id) else json_build_array(b.xmin, b) end), '[]')
      from bookings b
      where b.request_id = any(request_ids) and (b.ended_at is null or b.joined_at is not null or b.fault is not null
        or (b.ride_id = any(ride_ids) and (b.id = any(on_route) or (
          select count(*) from bookings later
          where later.request_id = b.request_id and (later.created_at, later.id) > (b.created_at, b.id)) < 5)))),
    'partly', (select coalesce(json_agg(asked.id), '[]') from unnest(beside) as asked (id) where exists (
      select from bookings b where b.request_id = asked.id and b.ride_id <> all(ride_ids)
        and b.ended_at is not null and b.joined_at is null and b.fault is null)),
    'stops', (select coalesce(json_agg(s order by s.ride_id, s.position), '[]') from ride_stops s where s.ride_id = any(ride_ids)),
    'waiting', (select coalesce(json_agg(w), '[]') from waitlist w
      where w.ride_id = any(ride_ids) or w.request_id = any(request_ids)),
    'spans', (select coalesce(json_agg(json_build_object('orderId', s.order_id, 'personId', s.person_id,
        'from', lower(s.during), 'until', upper(s.during))), '[]') from order_spans s
      where s.person_id = any(people)),
    'changing', (select coalesce(json_agg(json_build_object('rideId', c.ride_id, 'isAnotherWay', c.way is not null)), '[]')
      from change_proposals c where c.ride_id = any(ride_ids) and c.state = 'open'));
end $$;
