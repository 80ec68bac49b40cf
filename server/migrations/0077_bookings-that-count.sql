CREATE INDEX IF NOT EXISTS "bookings_of_ride" ON "bookings" USING btree ("ride_id","created_at","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bookings_of_ride_that_count" ON "bookings" USING btree ("ride_id") WHERE ended_at is null or state in ('finished', 'missed') or late_fee_cents > 0;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bookings_of_passenger" ON "bookings" USING btree ("passenger_id","ride_id","created_at","id");--> statement-breakpoint
DROP INDEX "bookings_ride";--> statement-breakpoint
DROP INDEX "bookings_passenger";--> statement-breakpoint
-- As before (0076), and what is on the route although it has ended: a passenger who has joined another ride keeps the
-- stops of a seat that was held for them until it is given to someone else.
create or replace function lock_ride_orders(wanted uuid[], beside uuid[], waits boolean, out orders json, out people uuid[]) language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
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
    'rides', (select json_agg(r) from rides r where r.id = any(ride_ids)),
    'requests', (select coalesce(json_agg(r), '[]') from (
      select id, order_number, version, region_id, from_name, from_detail, from_lon, from_lat, to_name, to_detail, to_lon, to_lat,
        time_zone, estimated, drive_ms, drive_metres, seats, visibility, tag_ids, note, contact_with, pets, luggage, quiet, women,
        flight_number, pair_id, series_id, created_at, event_id, state, passenger_id, earliest_at, latest_at, arrive_by,
        offer_cents, walk_metres, spots_version, ended_at
      from requests
    ) r where r.id = any(request_ids)),
    'bookings', (select coalesce(json_agg(b), '[]') from bookings b
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
--> statement-breakpoint
-- A change is noted if the index of open orders holds something of it: an ask that is made and comes to nothing changes
-- neither the ride nor the request there. Row by row, so that a statement with nothing to write asks nothing.
create function note_changed_order() returns trigger language plpgsql as $$
begin
  insert into order_changes (order_id) values (coalesce(new.id, old.id));
  return null;
end $$;
--> statement-breakpoint
create function note_changed_seats() returns trigger language plpgsql as $$
begin
  insert into order_changes (order_id) values (coalesce(new.ride_id, old.ride_id));
  return null;
end $$;
--> statement-breakpoint
create or replace trigger rides_inserted after insert on rides for each row execute function note_changed_order();
--> statement-breakpoint
create or replace trigger rides_deleted after delete on rides for each row execute function note_changed_order();
--> statement-breakpoint
create or replace trigger rides_updated after update on rides for each row
  when ((old.state in ('matching', 'waiting')) <> (new.state in ('matching', 'waiting')) or (
      old.region_id, old.driver_id, old.visibility, old.women, old.pets, old.luggage, old.quiet, old.seats,
      old.departs_at, old.earliest_departs_at, old.latest_departs_at, old.traffic_permille, old.drive_ms,
      old.max_detour_ms, old.price_kind, old.cost_cents
    ) is distinct from (
      new.region_id, new.driver_id, new.visibility, new.women, new.pets, new.luggage, new.quiet, new.seats,
      new.departs_at, new.earliest_departs_at, new.latest_departs_at, new.traffic_permille, new.drive_ms,
      new.max_detour_ms, new.price_kind, new.cost_cents
    ))
  execute function note_changed_order();
--> statement-breakpoint
create or replace trigger requests_inserted after insert on requests for each row execute function note_changed_order();
--> statement-breakpoint
create or replace trigger requests_deleted after delete on requests for each row execute function note_changed_order();
--> statement-breakpoint
create or replace trigger requests_updated after update on requests for each row
  when ((old.state in ('matching', 'requesting', 'inviting')) <> (new.state in ('matching', 'requesting', 'inviting')) or (
      old.region_id, old.passenger_id, old.visibility, old.women, old.pets, old.luggage, old.quiet, old.seats,
      old.from_lon, old.from_lat, old.to_lon, old.to_lat, old.spots_version, old.walk_metres, old.earliest_at,
      old.latest_at, old.arrive_by, old.offer_cents
    ) is distinct from (
      new.region_id, new.passenger_id, new.visibility, new.women, new.pets, new.luggage, new.quiet, new.seats,
      new.from_lon, new.from_lat, new.to_lon, new.to_lat, new.spots_version, new.walk_metres, new.earliest_at,
      new.latest_at, new.arrive_by, new.offer_cents
    ))
  execute function note_changed_order();
--> statement-breakpoint
create or replace trigger bookings_inserted after insert on bookings for each row
  when (new.state in ('joined', 'waiting', 'driver reached', 'picking', 'picked')) execute function note_changed_seats();
--> statement-breakpoint
create or replace trigger bookings_updated after update on bookings for each row
  when ((old.state in ('joined', 'waiting', 'driver reached', 'picking', 'picked'))
      <> (new.state in ('joined', 'waiting', 'driver reached', 'picking', 'picked'))
    or (old.ride_id, old.seats, old.pickup_walk_ms, old.dropoff_walk_ms)
      is distinct from (new.ride_id, new.seats, new.pickup_walk_ms, new.dropoff_walk_ms))
  execute function note_changed_seats();
--> statement-breakpoint
create or replace trigger bookings_deleted after delete on bookings for each row execute function note_changed_seats();
