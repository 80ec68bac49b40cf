CREATE INDEX IF NOT EXISTS "alert_windows_in_time" ON "alert_windows" USING gist (tstzrange(earliest_at, latest_at, '[]'),"reach");--> statement-breakpoint
DROP INDEX "alert_windows_place";
