ALTER TABLE "shortcuts" ADD COLUMN "told_within_metres" integer;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "shortcuts_told" ON "shortcuts" USING gist (point(at_lon, at_lat)) WHERE told_within_metres is not null;
--> statement-breakpoint
-- Up to how far from a saved place with a label its owner wants to be told of new orders; null if they do not.
create function told_within_metres(choices jsonb, label text) returns integer language sql immutable parallel safe as $$
  select case when (choices -> 'location' ->>
      (case label when 'home' then 'nearHome' when 'work' then 'nearWork' else 'nearOther' end))::boolean
    then (choices -> 'location' ->> 'withinMetres')::integer end
$$;
--> statement-breakpoint
-- Triggers, so that a server of the release before keeps it too. A place that is added and settings that are saved at the
-- same time wait for each other by the person's row; places that change are locked themselves.
create function note_told_place() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform from users where id = new.owner_id for no key update;
  end if;
  new.told_within_metres := (
    select told_within_metres(n.choices, new.label) from notification_settings n where n.user_id = new.owner_id);
  return new;
end $$;
--> statement-breakpoint
create trigger shortcuts_note_told before insert or update of label on shortcuts
  for each row execute function note_told_place();
--> statement-breakpoint
create function note_told_places() returns trigger language plpgsql as $$
begin
  perform from users where id = new.user_id for no key update;
  update shortcuts s set told_within_metres = told_within_metres(new.choices, s.label)
  where s.owner_id = new.user_id
    and s.told_within_metres is distinct from told_within_metres(new.choices, s.label);
  return null;
end $$;
--> statement-breakpoint
create trigger notification_settings_note_told after insert or update of choices on notification_settings
  for each row execute function note_told_places();
--> statement-breakpoint
update shortcuts s set told_within_metres = told_within_metres(n.choices, s.label)
from notification_settings n
where n.user_id = s.owner_id and told_within_metres(n.choices, s.label) is not null;
