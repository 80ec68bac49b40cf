-- A picture's row can go in many ways, with its owner too; its file must not stay behind.
create function note_removed_file() returns trigger language plpgsql as $$
begin
  insert into removed_files (object_key) values (old.object_key) on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
create trigger pictures_removed after delete on pictures for each row execute function note_removed_file();
