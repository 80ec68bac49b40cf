-- Commutes between two areas are read in the hours of one's own.
CREATE INDEX IF NOT EXISTS "ways_regular_in_time" ON "ways" USING btree ("from_area","to_area","minute") WHERE is_regular;--> statement-breakpoint
DROP INDEX IF EXISTS "ways_regular";--> statement-breakpoint
-- Deleting a picture asks for the events that show it.
CREATE INDEX IF NOT EXISTS "events_picture" ON "events" USING btree ("picture_id") WHERE picture_id is not null;
