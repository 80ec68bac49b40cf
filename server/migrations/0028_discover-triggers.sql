-- Whose ways are to be worked out anew: whoever publishes, edits or cancels an order, or changes a series or an alert. A row
-- is put in and nothing is locked, so that no two changes wait for each other here.
create function note_way_change() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'rides' then
    insert into way_changes (person_id) values (new.driver_id);
  elsif tg_table_name = 'requests' then
    insert into way_changes (person_id) values (new.passenger_id);
  elsif tg_op = 'DELETE' then
    insert into way_changes (person_id) values (old.owner_id);
  else
    insert into way_changes (person_id) values (new.owner_id);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger rides_way_made after insert on rides for each row execute function note_way_change();
--> statement-breakpoint
create trigger rides_way_changed after update on rides for each row
  when ((old.state <> 'cancel' and new.state = 'cancel')
    or (old.from_lon, old.from_lat, old.to_lon, old.to_lat, old.departs_at, old.max_detour_ms, old.visibility, old.tag_ids, old.women)
      is distinct from (new.from_lon, new.from_lat, new.to_lon, new.to_lat, new.departs_at, new.max_detour_ms, new.visibility, new.tag_ids, new.women))
  execute function note_way_change();
--> statement-breakpoint
create trigger requests_way_made after insert on requests for each row execute function note_way_change();
--> statement-breakpoint
create trigger requests_way_changed after update on requests for each row
  when ((old.state <> 'cancel' and new.state = 'cancel')
    or (old.from_lon, old.from_lat, old.to_lon, old.to_lat, old.earliest_at, old.latest_at, old.visibility, old.tag_ids, old.women)
      is distinct from (new.from_lon, new.from_lat, new.to_lon, new.to_lat, new.earliest_at, new.latest_at, new.visibility, new.tag_ids, new.women))
  execute function note_way_change();
--> statement-breakpoint
create trigger order_series_way_made after insert on order_series for each row execute function note_way_change();
--> statement-breakpoint
create trigger order_series_way_changed after update on order_series for each row
  when ((old.state, old.template, old.weekdays, old.local_time) is distinct from (new.state, new.template, new.weekdays, new.local_time))
  execute function note_way_change();
--> statement-breakpoint
create trigger alerts_way_changed after insert or delete on alerts for each row execute function note_way_change();
--> statement-breakpoint
-- Whoever has said how they travel before is looked at in the first round of the clock.
insert into way_changes (person_id)
select person_id from (
  select driver_id as person_id from rides
  union select passenger_id from requests
  union select owner_id from order_series
  union select owner_id from alerts
) travellers;
