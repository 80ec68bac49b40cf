-- What the role of calls may not do, as it owns nothing, and has to be done while people use the app: the days of the
-- event log come and go, and the index of places is cleaned. These functions do it as the owner, and nothing else.
CREATE FUNCTION make_event_log_day(ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  day date := current_date + ahead;
  name text := 'event_log_' || to_char(current_date + ahead, 'YYYYMMDD');
BEGIN
  IF ahead NOT BETWEEN 0 AND 31 THEN
    RAISE EXCEPTION 'The log has places for up to 31 days ahead.' USING ERRCODE = '22023';
  END IF;
  IF to_regclass(name) IS NOT NULL THEN
    RETURN;
  END IF;
  -- Those who write are not kept waiting for long.
  PERFORM set_config('lock_timeout', '500ms', true);
  EXECUTE format('CREATE TABLE %I (LIKE event_log INCLUDING DEFAULTS)', name);
  -- Attaching does not hold up those who write meanwhile, as making it in place would.
  EXECUTE format('ALTER TABLE event_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, day, day + 1);
END
$$;
--> statement-breakpoint
CREATE FUNCTION drop_event_log_days(kept_days integer, heard_up_to xid8) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  name text;
  is_heard boolean;
BEGIN
  IF kept_days < 7 THEN
    RAISE EXCEPTION 'The log is kept for a week.' USING ERRCODE = '22023';
  END IF;
  PERFORM set_config('lock_timeout', '500ms', true);
  FOR name IN
    SELECT child.relname FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
    WHERE inhparent = 'event_log'::regclass AND child.relname ~ '^event_log_[0-9]{8}$'
      AND to_date(right(child.relname, 8), 'YYYYMMDD') < current_date - kept_days
    ORDER BY child.relname
  LOOP
    BEGIN
      EXECUTE format('SELECT NOT EXISTS (SELECT FROM %I WHERE txid >= $1)', name) INTO is_heard USING heard_up_to;
      IF is_heard THEN
        EXECUTE format('DROP TABLE %I', name);
      END IF;
    EXCEPTION WHEN lock_not_available OR undefined_table THEN
      -- Another day is not held up by this one, which the next round tries again.
    END;
  END LOOP;
END
$$;
--> statement-breakpoint
CREATE FUNCTION settle_places() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM gin_clean_pending_list('places_name_vector'), gin_clean_pending_list('places_words_trgm');
  ANALYZE places;
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION make_event_log_day(integer), drop_event_log_days(integer, xid8), settle_places() FROM PUBLIC;
