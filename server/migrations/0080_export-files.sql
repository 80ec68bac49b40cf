CREATE TABLE "data_exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"state" text DEFAULT 'preparing' NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"next_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"parts" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"ready_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "data_exports" ADD CONSTRAINT "data_exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "data_exports_user" ON "data_exports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "data_exports_due" ON "data_exports" USING btree ("next_at") WHERE state = 'preparing';--> statement-breakpoint
CREATE INDEX "data_exports_asked" ON "data_exports" USING btree ("asked_at");--> statement-breakpoint
CREATE INDEX "data_exports_left" ON "data_exports" USING btree ("id") WHERE user_id is null;