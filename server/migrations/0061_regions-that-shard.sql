ALTER TABLE "alerts" ADD COLUMN "region_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "region_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "region_id" text DEFAULT '' NOT NULL;