CREATE TABLE "ledger_sums" (
	"provider" text PRIMARY KEY NOT NULL,
	"sums" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"until_id" bigint DEFAULT 0 NOT NULL,
	"latest_id" bigint DEFAULT 0 NOT NULL,
	"latest_xid" "xid8" DEFAULT '0' NOT NULL,
	"checked_sums" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"checked_id" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
DROP INDEX "alert_windows_time";--> statement-breakpoint
-- A place as a box without extent, and the box that holds all places no farther than so many metres in a straight
-- line from one of two. Degrees of longitude shrink towards the poles; a box beyond 180 degrees is all around the earth.
CREATE FUNCTION place_box(lon float8, lat float8) RETURNS box LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT box(point(lon, lat), point(lon, lat)) $$;--> statement-breakpoint
CREATE FUNCTION reach_box(a_lon float8, a_lat float8, b_lon float8, b_lat float8, metres float8) RETURNS box
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
declare
  north float8 := metres / 111000;
  farthest float8 := greatest(abs(a_lat), abs(b_lat)) + north;
  east float8;
begin
  if farthest >= 89 then
    return box(point(-180, -90), point(180, 90));
  end if;
  east := north / cosd(farthest);
  if least(a_lon, b_lon) - east < -180 or greatest(a_lon, b_lon) + east > 180 then
    return box(point(-180, least(a_lat, b_lat) - north), point(180, greatest(a_lat, b_lat) + north));
  end if;
  return box(point(least(a_lon, b_lon) - east, least(a_lat, b_lat) - north),
    point(greatest(a_lon, b_lon) + east, greatest(a_lat, b_lat) + north));
end $$;--> statement-breakpoint
ALTER TABLE "alert_windows" ADD COLUMN "reach" "box";--> statement-breakpoint
-- At most 200 km/h, a minute beside the roads, and passengers who walk 5 km (alerts/rules/reach.ts).
UPDATE "alert_windows" w SET reach = CASE a.role
  WHEN 'passenger' THEN place_box(a.from_lon, a.from_lat)
  ELSE reach_box(a.from_lon, a.from_lat, a.to_lon, a.to_lat,
    ((a.drive_ms + coalesce(a.max_detour_ms, 0) + 60000) * 200.0 / 3600 + 20000) / 2) END
FROM "alerts" a WHERE a.id = w.alert_id;--> statement-breakpoint
ALTER TABLE "alert_windows" ALTER COLUMN "reach" SET NOT NULL;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "alert_hits_standing" ON "alert_hits" USING btree ("alert_id","id") WHERE gone_at is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "alert_windows_place" ON "alert_windows" USING gist ("reach",tstzrange(earliest_at, latest_at, '[]'));--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "shortcuts_place" ON "shortcuts" USING gist (point(at_lon, at_lat));--> statement-breakpoint
DROP FUNCTION take_order_place(uuid, uuid, tstzrange, int, text[], text[], text[]);--> statement-breakpoint
-- The ended states are constants, as the partial indexes of open orders have them: what a person has behind them
-- is not read.
CREATE FUNCTION take_order_place(order_id uuid, person_id uuid, during tstzrange, most_open int, numbers text[])
  RETURNS jsonb LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
#variable_conflict use_column
declare
  taken text;
begin
  perform pg_advisory_xact_lock(hashtextextended('orders:' || take_order_place.person_id, 0));
  if most_open is not null and most_open <= (
    select count(distinct thing) from (
      select coalesce(series_id, id) as thing from rides
        where driver_id = take_order_place.person_id and state not in ('finished', 'cancel', 'expired')
      union all
      select coalesce(series_id, id) from requests
        where passenger_id = take_order_place.person_id and state not in ('finished', 'missed', 'cancel', 'expired')
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
