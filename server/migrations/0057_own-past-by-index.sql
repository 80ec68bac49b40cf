DROP INDEX "reviews_subject";--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "card_holds_earned" ON "card_holds" USING btree ("driver_id","settled_at","id") WHERE is_current and goal = 'take';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bookings_finished_of_driver" ON "bookings" USING btree ("driver_id","ended_at") WHERE state = 'finished';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bookings_finished_of_passenger" ON "bookings" USING btree ("passenger_id","ended_at") WHERE state = 'finished';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "daily_figures_name" ON "daily_figures" USING btree ("name");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "reviews_subject" ON "reviews" USING btree ("subject_id","created_at");