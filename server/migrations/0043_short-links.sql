ALTER TABLE "events" ADD COLUMN "short_hash" text;--> statement-breakpoint
ALTER TABLE "order_links" ADD COLUMN "short_hash" text;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_short_hash_unique" UNIQUE("short_hash");--> statement-breakpoint
ALTER TABLE "order_links" ADD CONSTRAINT "order_links_short_hash_unique" UNIQUE("short_hash");