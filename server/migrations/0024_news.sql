CREATE TABLE "undelivered" (
	"id" uuid PRIMARY KEY NOT NULL,
	"task" text NOT NULL,
	"recipient" text NOT NULL,
	"what" text NOT NULL,
	"payload" jsonb NOT NULL,
	"error" text NOT NULL,
	"attempts" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "news" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"other_id" uuid,
	"source" text NOT NULL,
	"thing" text NOT NULL,
	"kind" text NOT NULL,
	"word" text NOT NULL,
	"facts" jsonb NOT NULL,
	"path" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "push_devices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"family" uuid NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "notices_once";--> statement-breakpoint
ALTER TABLE "outbox_letters" ADD COLUMN "page" text;--> statement-breakpoint
-- What waits for somebody’s quiet hours to end has words and no facts; it is the one thing that is not carried over.
DELETE FROM "notices";--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "news_id" uuid NOT NULL;--> statement-breakpoint
ALTER TABLE "news" ADD CONSTRAINT "news_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "news" ADD CONSTRAINT "news_other_id_users_id_fk" FOREIGN KEY ("other_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "undelivered_at" ON "undelivered" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "news_once" ON "news" USING btree ("source","user_id");--> statement-breakpoint
CREATE INDEX "news_of_person" ON "news" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "news_other" ON "news" USING btree ("other_id");--> statement-breakpoint
CREATE INDEX "news_at" ON "news" USING btree ("at");--> statement-breakpoint
CREATE INDEX "news_unread" ON "news" USING btree ("user_id","path") WHERE read_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "push_devices_endpoint" ON "push_devices" USING btree ("endpoint");--> statement-breakpoint
CREATE INDEX "push_devices_user" ON "push_devices" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_news_id_news_id_fk" FOREIGN KEY ("news_id") REFERENCES "public"."news"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_messages_at" ON "chat_messages" USING btree ("at");--> statement-breakpoint
CREATE INDEX "notices_user" ON "notices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "bookings_soon" ON "bookings" USING btree ("pickup_at") WHERE state in ('joined', 'waiting');--> statement-breakpoint
CREATE UNIQUE INDEX "notices_once" ON "notices" USING btree ("news_id","channel");--> statement-breakpoint
ALTER TABLE "notices" DROP COLUMN "source";--> statement-breakpoint
ALTER TABLE "notices" DROP COLUMN "kind";--> statement-breakpoint
ALTER TABLE "notices" DROP COLUMN "subject";--> statement-breakpoint
ALTER TABLE "notices" DROP COLUMN "body";