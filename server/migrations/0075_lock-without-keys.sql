-- What is written of a ride or request refers to it by its key: notices, lines, history. Their inserts hold the key for as long as
-- their transaction lasts, and a lock "for update" waits for them, and they for it. Nothing that is locked here loses its key.
create or replace function lock_rides(wanted uuid[], beside uuid[], waits boolean, out orders json, out people uuid[]) language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  ride_ids uuid[];
  request_ids uuid[];
begin
  if waits then
    ride_ids := array(select id from rides where id = any(wanted) order by id for no key update);
  else
    ride_ids := array(select id from rides where id = any(wanted) order by id for no key update skip locked);
  end if;
  if ride_ids = '{}' then
    return;
  end if;
  request_ids := array(
    select id from requests where id = any(array(
      select request_id from bookings where ride_id = any(ride_ids) and ended_at is null
      union select request_id from waitlist where ride_id = any(ride_ids)
      union select unnest(beside)
    )) order by id for no key update
  );
  people := array(select driver_id from rides where id = any(ride_ids)
    union select passenger_id from requests where id = any(request_ids));
  orders := json_build_object(
    'rides', (select json_agg(r) from rides r where r.id = any(ride_ids)),
    'requests', (select coalesce(json_agg(r), '[]') from requests r where r.id = any(request_ids)),
    'bookings', (select coalesce(json_agg(b), '[]') from (
      select own.*, row_number() over (partition by own.request_id order by own.created_at desc, own.id desc) as age
      from bookings own where own.request_id = any(request_ids)
    ) b where b.ended_at is null or b.joined_at is not null or b.fault is not null or b.age <= 5),
    'stops', (select coalesce(json_agg(s order by s.ride_id, s.position), '[]') from ride_stops s where s.ride_id = any(ride_ids)),
    'waiting', (select coalesce(json_agg(w), '[]') from waitlist w
      where w.ride_id = any(ride_ids) or w.request_id = any(request_ids)),
    'spans', (select coalesce(json_agg(json_build_object('orderId', s.order_id, 'personId', s.person_id,
        'from', lower(s.during), 'until', upper(s.during))), '[]') from order_spans s
      where s.person_id = any(people)),
    'changing', (select coalesce(json_agg(json_build_object('rideId', c.ride_id, 'isAnotherWay', c.way is not null)), '[]')
      from change_proposals c where c.ride_id = any(ride_ids) and c.state = 'open'));
end $$;
