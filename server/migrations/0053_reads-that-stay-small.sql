CREATE TABLE "daily_figures" (
	"day" date NOT NULL,
	"name" text NOT NULL,
	"bucket" integer DEFAULT 0 NOT NULL,
	"value" bigint NOT NULL,
	CONSTRAINT "daily_figures_day_name_bucket_pk" PRIMARY KEY("day","name","bucket")
);
--> statement-breakpoint
CREATE TABLE "figures_counted" (
	"id" integer PRIMARY KEY NOT NULL,
	"until_at" timestamp (3) with time zone NOT NULL,
	"time_zone" text NOT NULL
);
--> statement-breakpoint
DROP INDEX "person_reports_open";--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "admin_actions_admin" ON "admin_actions" USING btree ("admin_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "admin_actions_person" ON "admin_actions" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "person_reports_created" ON "person_reports" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "feedback_created" ON "feedback" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "feedback_open" ON "feedback" USING btree ("created_at") WHERE read_at is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "feedback_author" ON "feedback" USING btree ("author_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_created" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_deleted" ON "users" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_suspended" ON "users" USING btree ("created_at") WHERE suspended_at is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_text_trgm" ON "users" USING gin (lower(name || E'\n' || first_name || ' ' || last_name || E'\n' || email || E'\n' || phone) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_name" ON "users" USING btree (lower(name) collate "C","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "chargebacks_in_order" ON "chargebacks" USING btree ((state in ('needs_response', 'warning_needs_response')),"opened_at","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "disputes_in_order" ON "disputes" USING btree ((state = 'resolved'),"opened_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "disputes_state" ON "disputes" USING btree ("state","opened_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "reviews_author" ON "reviews" USING btree ("author_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "move_history_at" ON "move_history" USING btree ("at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "move_history_admin" ON "move_history" USING btree ("actor_id") WHERE actor = 'admin';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "requests_cells" ON "requests" USING btree ((floor(from_lon / 0.3)::int),(floor(from_lat / 0.3)::int),"earliest_at") WHERE state in ('matching', 'requesting', 'inviting');--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "requests_of_passenger_open" ON "requests" USING btree ("passenger_id","earliest_at") WHERE state not in ('finished', 'missed', 'cancel', 'expired');--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "rides_cells" ON "rides" USING btree ((floor(from_lon / 0.3)::int),(floor(from_lat / 0.3)::int),"departs_at") WHERE state = 'matching';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "rides_asked" ON "rides" USING btree ("drive_metres") WHERE state = 'matching' and cost_cents > 0;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "rides_of_driver_open" ON "rides" USING btree ("driver_id","departs_at") WHERE state not in ('finished', 'cancel', 'expired');--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "alarms_person" ON "alarms" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "trip_shares_owner" ON "trip_shares" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "trip_shares_to" ON "trip_shares" USING btree ("to_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "licences_decided" ON "licences" USING btree ("decided_at") WHERE decided_at is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "person_reports_open" ON "person_reports" USING btree ("created_at") WHERE handled_at is null;