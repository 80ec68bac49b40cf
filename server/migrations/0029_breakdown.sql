CREATE TABLE "broken_bookings" (
	"booking_id" uuid PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"ridden_metres" integer NOT NULL,
	"way_metres" integer NOT NULL,
	"share_cents" integer NOT NULL,
	"decided_cents" integer,
	"note" text DEFAULT '' NOT NULL,
	CONSTRAINT "broken_bookings_metres" CHECK (ridden_metres between 0 and way_metres),
	CONSTRAINT "broken_bookings_decided" CHECK (decided_cents between 0 and share_cents)
);
--> statement-breakpoint
CREATE TABLE "broken_rides" (
	"ride_id" uuid PRIMARY KEY NOT NULL,
	"driver_id" uuid NOT NULL,
	"by" text NOT NULL,
	"kind" text NOT NULL,
	"words" text DEFAULT '' NOT NULL,
	"source" text NOT NULL,
	"lon" double precision NOT NULL,
	"lat" double precision NOT NULL,
	"place" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "broken_bookings" ADD CONSTRAINT "broken_bookings_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broken_bookings" ADD CONSTRAINT "broken_bookings_ride_id_broken_rides_ride_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."broken_rides"("ride_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broken_rides" ADD CONSTRAINT "broken_rides_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broken_rides" ADD CONSTRAINT "broken_rides_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "broken_bookings_ride" ON "broken_bookings" USING btree ("ride_id");--> statement-breakpoint
CREATE INDEX "broken_rides_at" ON "broken_rides" USING btree ("at");--> statement-breakpoint
CREATE INDEX "broken_rides_driver" ON "broken_rides" USING btree ("driver_id","at");