-- PostgreSQL attaches no partition for a day while the default partition holds rows of that day. The function
-- skips such days now: each hour it locked the log, scanned the default partition and failed, and the pool
-- closed the connection.
CREATE OR REPLACE FUNCTION make_event_log_day(ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  day date := current_date + ahead;
  name text := 'event_log_' || to_char(current_date + ahead, 'YYYYMMDD');
BEGIN
  IF ahead NOT BETWEEN 0 AND 31 THEN
    RAISE EXCEPTION 'The log has places for up to 31 days ahead.' USING ERRCODE = '22023';
  END IF;
  IF to_regclass(name) IS NOT NULL OR EXISTS (SELECT FROM event_log_default WHERE written_on = day) THEN
    RETURN;
  END IF;
  -- Those who write are not kept waiting for long.
  PERFORM set_config('lock_timeout', '500ms', true);
  EXECUTE format('CREATE TABLE %I (LIKE event_log INCLUDING DEFAULTS)', name);
  -- Attaching does not hold up those who write meanwhile, as making it in place would.
  EXECUTE format('ALTER TABLE event_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, day, day + 1);
END
$$;
