-- A picture's row can go in many ways, with its owner too; its file must not stay behind.
create function note_removed_file() returns trigger language plpgsql as $$
begin
  insert into removed_files (object_key) values (old.object_key) on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
create trigger pictures_removed after delete on pictures for each row execute function note_removed_file();
--> statement-breakpoint
-- Every process remembers who is signed in and a few answers; it hears from here whose rows have changed.
create function tell_person_changed() returns trigger language plpgsql as $$
declare
  person uuid;
begin
  if tg_op = 'DELETE' then
    person := (to_jsonb(old) ->> tg_argv[0])::uuid;
  else
    person := (to_jsonb(new) ->> tg_argv[0])::uuid;
  end if;
  if person is not null then
    perform pg_notify('person_changed', person::text);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger users_changed after update or delete on users for each row execute function tell_person_changed('id');
--> statement-breakpoint
create trigger sessions_changed after update or delete on sessions for each row execute function tell_person_changed('user_id');
--> statement-breakpoint
create trigger vehicles_changed after insert or update or delete on vehicles for each row execute function tell_person_changed('owner_id');
--> statement-breakpoint
create trigger licences_changed after insert or update or delete on licences for each row execute function tell_person_changed('user_id');
