CREATE TABLE "waitlist" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"request_id" uuid NOT NULL,
	"passenger_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "bookings_expiry";--> statement-breakpoint
ALTER TABLE "rides" ADD COLUMN "instant" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "waitlist" ADD CONSTRAINT "waitlist_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist" ADD CONSTRAINT "waitlist_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist" ADD CONSTRAINT "waitlist_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "waitlist_pair" ON "waitlist" USING btree ("ride_id","request_id");--> statement-breakpoint
CREATE INDEX "waitlist_request" ON "waitlist" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "waitlist_passenger" ON "waitlist" USING btree ("passenger_id");--> statement-breakpoint
CREATE INDEX "bookings_expiry" ON "bookings" USING btree ("expires_at") WHERE state in ('requesting', 'inviting', 'waiting for passenger acceptance');