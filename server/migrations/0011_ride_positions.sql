CREATE TABLE "ride_positions" (
	"ride_id" uuid PRIMARY KEY NOT NULL,
	"driver_id" uuid NOT NULL,
	"lon" double precision NOT NULL,
	"lat" double precision NOT NULL,
	"heading_degrees" double precision,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ride_positions" ADD CONSTRAINT "ride_positions_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ride_positions" ADD CONSTRAINT "ride_positions_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;