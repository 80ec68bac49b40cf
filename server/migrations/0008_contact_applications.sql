CREATE TABLE "contact_applications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"from_id" uuid NOT NULL,
	"to_id" uuid NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"origin" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "person_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"reporter_id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"words" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"handled_at" timestamp (3) with time zone,
	"handled_by_id" uuid,
	"outcome" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
DROP INDEX "tags_owner_name";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "found_by_email" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "found_by_phone" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "found_by_name" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "phone_seen_by" text DEFAULT 'joined' NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_applications" ADD CONSTRAINT "contact_applications_from_id_users_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_applications" ADD CONSTRAINT "contact_applications_to_id_users_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "person_reports" ADD CONSTRAINT "person_reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "person_reports" ADD CONSTRAINT "person_reports_subject_id_users_id_fk" FOREIGN KEY ("subject_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "contact_applications_pending" ON "contact_applications" USING btree (least("from_id", "to_id"),greatest("from_id", "to_id")) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "contact_applications_from" ON "contact_applications" USING btree ("from_id");--> statement-breakpoint
CREATE INDEX "contact_applications_to" ON "contact_applications" USING btree ("to_id");--> statement-breakpoint
CREATE INDEX "person_reports_subject" ON "person_reports" USING btree ("subject_id");--> statement-breakpoint
CREATE INDEX "person_reports_open" ON "person_reports" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "users_name_trgm" ON "users" USING gin (lower(name) gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "tags_owner_name" ON "tags" USING btree ("owner_id",lower("name"));