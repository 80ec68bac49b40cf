CREATE TABLE "contact_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"booking_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "driver_reports" (
	"booking_id" uuid PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"passenger_id" uuid NOT NULL,
	"by" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"settle_at" timestamp (3) with time zone NOT NULL,
	"outcome" text,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "good_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "reached_by" text;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "contacted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "rides" ADD COLUMN "reached_by" text;--> statement-breakpoint
ALTER TABLE "strikes" ADD COLUMN "by" text DEFAULT 'driver' NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_attempts" ADD CONSTRAINT "contact_attempts_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_attempts" ADD CONSTRAINT "contact_attempts_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "driver_reports" ADD CONSTRAINT "driver_reports_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "driver_reports" ADD CONSTRAINT "driver_reports_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "driver_reports" ADD CONSTRAINT "driver_reports_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "driver_reports" ADD CONSTRAINT "driver_reports_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_attempts_booking" ON "contact_attempts" USING btree ("booking_id");--> statement-breakpoint
CREATE INDEX "contact_attempts_driver" ON "contact_attempts" USING btree ("driver_id");--> statement-breakpoint
CREATE INDEX "driver_reports_driver" ON "driver_reports" USING btree ("driver_id");--> statement-breakpoint
CREATE INDEX "driver_reports_passenger" ON "driver_reports" USING btree ("passenger_id");--> statement-breakpoint
CREATE INDEX "driver_reports_open" ON "driver_reports" USING btree ("settle_at") WHERE closed_at is null;