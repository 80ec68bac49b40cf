DROP INDEX "rides_open";--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "rides_joinable" ON "rides" USING btree ("departs_at") WHERE state in ('matching', 'waiting');