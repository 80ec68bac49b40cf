CREATE TABLE "outages" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_heartbeat" (
	"id" integer PRIMARY KEY NOT NULL,
	"wall_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ride_questions" (
	"booking_id" uuid PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"passenger_id" uuid NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answer_by" timestamp (3) with time zone NOT NULL,
	"driver_says" boolean,
	"passenger_says" boolean,
	"outcome" text,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "unclear_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "rides" ADD COLUMN "unclear_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "ride_questions" ADD CONSTRAINT "ride_questions_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ride_questions" ADD CONSTRAINT "ride_questions_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ride_questions" ADD CONSTRAINT "ride_questions_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ride_questions" ADD CONSTRAINT "ride_questions_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outages_until" ON "outages" USING btree ("until_at");--> statement-breakpoint
CREATE INDEX "ride_questions_ride" ON "ride_questions" USING btree ("ride_id");--> statement-breakpoint
CREATE INDEX "ride_questions_driver" ON "ride_questions" USING btree ("driver_id");--> statement-breakpoint
CREATE INDEX "ride_questions_passenger" ON "ride_questions" USING btree ("passenger_id");--> statement-breakpoint
CREATE INDEX "ride_questions_open" ON "ride_questions" USING btree ("answer_by") WHERE closed_at is null;