-- The role of calls adds to the log of the team, and neither changes nor deletes it. When an account is emptied, this
-- trigger takes out whose it was and what was noted about it, as the owner.
CREATE FUNCTION forget_in_admin_actions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE admin_actions SET admin_id = NULL WHERE admin_id = NEW.id;
  UPDATE admin_actions SET person_id = NULL, note = '' WHERE person_id = NEW.id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION forget_in_admin_actions() FROM PUBLIC;
--> statement-breakpoint
CREATE TRIGGER "forget_in_admin_actions" AFTER UPDATE OF "deleted_at" ON "users"
FOR EACH ROW WHEN (OLD."deleted_at" IS NULL AND NEW."deleted_at" IS NOT NULL)
EXECUTE FUNCTION forget_in_admin_actions();
