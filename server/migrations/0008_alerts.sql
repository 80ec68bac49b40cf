CREATE TABLE "alert_hits" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"alert_id" uuid NOT NULL,
	"ride_id" uuid,
	"request_id" uuid,
	"pickup_at" timestamp (3) with time zone NOT NULL,
	"dropoff_at" timestamp (3) with time zone NOT NULL,
	"fare_cents" integer NOT NULL,
	"detour_ms" integer NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	"gone_at" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone,
	"lettered_at" timestamp (3) with time zone,
	CONSTRAINT "alert_hits_one_order" CHECK (num_nonnulls(ride_id, request_id) = 1)
);
--> statement-breakpoint
CREATE TABLE "alert_windows" (
	"alert_id" uuid NOT NULL,
	"earliest_at" timestamp (3) with time zone NOT NULL,
	"latest_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "alert_windows_alert_id_earliest_at_pk" PRIMARY KEY("alert_id","earliest_at"),
	CONSTRAINT "alert_windows_span" CHECK (earliest_at <= latest_at and latest_at <= earliest_at + interval '1 day')
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"role" text NOT NULL,
	"from_name" text NOT NULL,
	"from_detail" text NOT NULL,
	"from_lon" double precision NOT NULL,
	"from_lat" double precision NOT NULL,
	"to_name" text NOT NULL,
	"to_detail" text NOT NULL,
	"to_lon" double precision NOT NULL,
	"to_lat" double precision NOT NULL,
	"time_zone" text NOT NULL,
	"estimated" boolean NOT NULL,
	"drive_ms" integer NOT NULL,
	"drive_metres" integer NOT NULL,
	"seats" integer NOT NULL,
	"days" integer[],
	"from_time" text,
	"to_time" text,
	"until" text,
	"offer_cents" integer,
	"walk_metres" integer,
	"pickup_spots" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"dropoff_spots" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"max_detour_ms" integer,
	"price_kind" text,
	"cost_cents" integer,
	"sameness" text NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"letter_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "alerts_seats" CHECK (seats between 1 and 8),
	CONSTRAINT "alerts_role" CHECK (case role when 'passenger' then walk_metres is not null else max_detour_ms is not null and price_kind is not null and cost_cents >= 0 end)
);
--> statement-breakpoint
ALTER TABLE "alert_hits" ADD CONSTRAINT "alert_hits_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_hits" ADD CONSTRAINT "alert_hits_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_hits" ADD CONSTRAINT "alert_hits_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_windows" ADD CONSTRAINT "alert_windows_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alert_hits_ride" ON "alert_hits" USING btree ("alert_id","ride_id");--> statement-breakpoint
CREATE UNIQUE INDEX "alert_hits_request" ON "alert_hits" USING btree ("alert_id","request_id");--> statement-breakpoint
CREATE INDEX "alert_hits_of_ride" ON "alert_hits" USING btree ("ride_id");--> statement-breakpoint
CREATE INDEX "alert_hits_of_request" ON "alert_hits" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "alert_hits_unlettered" ON "alert_hits" USING btree ("alert_id") WHERE lettered_at is null and read_at is null;--> statement-breakpoint
CREATE INDEX "alert_windows_time" ON "alert_windows" USING btree ("earliest_at","latest_at");--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_owner_sameness" ON "alerts" USING btree ("owner_id","sameness");--> statement-breakpoint
CREATE INDEX "alerts_end" ON "alerts" USING btree ("ends_at");