ALTER TABLE "requests" ADD COLUMN "spots_version" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- No number comes twice, also of a change that is rolled back: a process that has seen one knows the meeting points of it.
create sequence spots_versions;
--> statement-breakpoint
create function draw_spots_version() returns trigger language plpgsql as $$
begin
  new.spots_version := nextval('spots_versions');
  return new;
end $$;
--> statement-breakpoint
-- A trigger, so that changes by a server of the release before draw one too.
create trigger requests_spots_changed before update of pickup_spots, dropoff_spots on requests
  for each row execute function draw_spots_version();
--> statement-breakpoint
-- As `lock_rides`, without what a process that has seen the request before has in memory, its meeting points, and without
-- asks on other rides that came to nothing: `partly` are the requests beside that have such ones.
create function lock_ride_orders(wanted uuid[], beside uuid[], waits boolean, out orders json, out people uuid[]) language plpgsql
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
    'requests', (select coalesce(json_agg(r), '[]') from (
      select id, order_number, version, region_id, from_name, from_detail, from_lon, from_lat, to_name, to_detail, to_lon, to_lat,
        time_zone, estimated, drive_ms, drive_metres, seats, visibility, tag_ids, note, contact_with, pets, luggage, quiet, women,
        flight_number, pair_id, series_id, created_at, event_id, state, passenger_id, earliest_at, latest_at, arrive_by,
        offer_cents, walk_metres, spots_version, ended_at
      from requests
    ) r where r.id = any(request_ids)),
    'bookings', (select coalesce(json_agg(b), '[]') from (
      select own.*, row_number() over (partition by own.request_id order by own.created_at desc, own.id desc) as age
      from bookings own where own.request_id = any(request_ids)
    ) b where b.ended_at is null or b.joined_at is not null or b.fault is not null
      or (b.age <= 5 and b.ride_id = any(ride_ids))),
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
