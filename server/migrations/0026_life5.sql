ALTER TABLE "change_proposals" ADD COLUMN "way" jsonb;--> statement-breakpoint
ALTER TABLE "change_proposals" ADD COLUMN "route" jsonb;--> statement-breakpoint
ALTER TABLE "change_proposals" ADD CONSTRAINT "change_proposals_way" CHECK ((way is null) = (route is null));