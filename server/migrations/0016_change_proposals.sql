CREATE TABLE "change_answers" (
	"proposal_id" uuid NOT NULL,
	"booking_id" uuid NOT NULL,
	"passenger_id" uuid NOT NULL,
	"accepted" boolean NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "change_answers_proposal_id_booking_id_pk" PRIMARY KEY("proposal_id","booking_id")
);
--> statement-breakpoint
CREATE TABLE "change_proposals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"state" text NOT NULL,
	"departs_at" timestamp (3) with time zone NOT NULL,
	"cost_cents" integer NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "change_answers" ADD CONSTRAINT "change_answers_proposal_id_change_proposals_id_fk" FOREIGN KEY ("proposal_id") REFERENCES "public"."change_proposals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_answers" ADD CONSTRAINT "change_answers_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_answers" ADD CONSTRAINT "change_answers_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_proposals" ADD CONSTRAINT "change_proposals_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_proposals" ADD CONSTRAINT "change_proposals_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "change_answers_passenger" ON "change_answers" USING btree ("passenger_id");--> statement-breakpoint
CREATE INDEX "change_proposals_ride" ON "change_proposals" USING btree ("ride_id");--> statement-breakpoint
CREATE INDEX "change_proposals_driver" ON "change_proposals" USING btree ("driver_id");--> statement-breakpoint
CREATE UNIQUE INDEX "change_proposals_open" ON "change_proposals" USING btree ("ride_id") WHERE state = 'open';