CREATE TABLE "way_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ways" (
	"id" uuid PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"role" text NOT NULL,
	"series_id" uuid,
	"from_area" integer NOT NULL,
	"to_area" integer NOT NULL,
	"from_label" text NOT NULL,
	"to_label" text NOT NULL,
	"from_lon" double precision NOT NULL,
	"from_lat" double precision NOT NULL,
	"to_lon" double precision NOT NULL,
	"to_lat" double precision NOT NULL,
	"drive_ms" integer NOT NULL,
	"max_detour_ms" integer NOT NULL,
	"corridor" integer[] NOT NULL,
	"days" smallint NOT NULL,
	"minute" smallint NOT NULL,
	"part" smallint NOT NULL,
	"time_zone" text NOT NULL,
	"visibility" text NOT NULL,
	"tag_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL,
	"women" boolean NOT NULL,
	"is_counted" boolean NOT NULL,
	"is_regular" boolean NOT NULL,
	CONSTRAINT "ways_days" CHECK (days between 1 and 127),
	CONSTRAINT "ways_minute" CHECK (minute between 0 and 1439)
);
--> statement-breakpoint
CREATE TABLE "ways_due" (
	"person_id" uuid PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ways" ADD CONSTRAINT "ways_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ways" ADD CONSTRAINT "ways_series_id_order_series_id_fk" FOREIGN KEY ("series_id") REFERENCES "public"."order_series"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ways_due" ADD CONSTRAINT "ways_due_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ways_person" ON "ways" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "ways_series" ON "ways" USING btree ("series_id");--> statement-breakpoint
CREATE INDEX "ways_counted" ON "ways" USING btree ("from_area","to_area","part","person_id") WHERE is_counted;--> statement-breakpoint
CREATE INDEX "ways_regular" ON "ways" USING btree ("from_area","to_area") WHERE is_regular;--> statement-breakpoint
CREATE INDEX "ways_corridor" ON "ways" USING gin ("corridor") WHERE is_regular;--> statement-breakpoint
CREATE INDEX "ways_due_at" ON "ways_due" USING btree ("due_at");