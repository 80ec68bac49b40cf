CREATE TABLE "order_grants" (
	"order_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "order_grants_order_id_person_id_pk" PRIMARY KEY("order_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "order_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "order_links_order_id_unique" UNIQUE("order_id"),
	CONSTRAINT "order_links_code_hash_unique" UNIQUE("code_hash")
);
--> statement-breakpoint
CREATE TABLE "order_series" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"state" text NOT NULL,
	"template" jsonb NOT NULL,
	"time_zone" text NOT NULL,
	"weekdays" integer[] NOT NULL,
	"local_time" text NOT NULL,
	"from_day" text NOT NULL,
	"until_day" text NOT NULL,
	"pair_id" uuid,
	"due_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "series_days" (
	"series_id" uuid NOT NULL,
	"day" text NOT NULL,
	"outcome" text NOT NULL,
	"order_id" uuid,
	"edited" boolean DEFAULT false NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	CONSTRAINT "series_days_series_id_day_pk" PRIMARY KEY("series_id","day")
);
--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "pair_id" uuid;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "series_id" uuid;--> statement-breakpoint
ALTER TABLE "rides" ADD COLUMN "pair_id" uuid;--> statement-breakpoint
ALTER TABLE "rides" ADD COLUMN "series_id" uuid;--> statement-breakpoint
ALTER TABLE "order_grants" ADD CONSTRAINT "order_grants_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_grants" ADD CONSTRAINT "order_grants_link_id_order_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."order_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_links" ADD CONSTRAINT "order_links_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_series" ADD CONSTRAINT "order_series_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "series_days" ADD CONSTRAINT "series_days_series_id_order_series_id_fk" FOREIGN KEY ("series_id") REFERENCES "public"."order_series"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_grants_person" ON "order_grants" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "order_grants_link" ON "order_grants" USING btree ("link_id");--> statement-breakpoint
CREATE INDEX "order_links_owner" ON "order_links" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "order_series_owner" ON "order_series" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "order_series_pair" ON "order_series" USING btree ("pair_id");--> statement-breakpoint
CREATE INDEX "order_series_due" ON "order_series" USING btree ("due_at") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "series_days_order" ON "series_days" USING btree ("order_id");--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_series_id_order_series_id_fk" FOREIGN KEY ("series_id") REFERENCES "public"."order_series"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rides" ADD CONSTRAINT "rides_series_id_order_series_id_fk" FOREIGN KEY ("series_id") REFERENCES "public"."order_series"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "requests_pair" ON "requests" USING btree ("pair_id");--> statement-breakpoint
CREATE INDEX "requests_series" ON "requests" USING btree ("series_id");--> statement-breakpoint
CREATE INDEX "rides_pair" ON "rides" USING btree ("pair_id");--> statement-breakpoint
CREATE INDEX "rides_series" ON "rides" USING btree ("series_id");