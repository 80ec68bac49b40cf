CREATE TABLE "announcements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"title_en" text NOT NULL,
	"title_zh" text NOT NULL,
	"text_en" text NOT NULL,
	"text_zh" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone NOT NULL,
	"community" text DEFAULT '' NOT NULL,
	"author_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "announcements_until" ON "announcements" USING btree ("until_at");--> statement-breakpoint
CREATE INDEX "announcements_created" ON "announcements" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "announcements_author" ON "announcements" USING btree ("author_id");