-- A driver's alert finds the requests of its cells and times without reading the others.
CREATE INDEX IF NOT EXISTS "requests_cells_times" ON "requests" USING btree ((floor(from_lon / 0.3)::int),(floor(from_lat / 0.3)::int),"earliest_at","latest_at") WHERE state in ('matching', 'requesting', 'inviting');--> statement-breakpoint
DROP INDEX IF EXISTS "requests_cells";
