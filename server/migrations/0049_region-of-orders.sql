ALTER TABLE "requests" ADD COLUMN "region_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "rides" ADD COLUMN "region_id" text DEFAULT '' NOT NULL;