ALTER TABLE "alerts" RENAME COLUMN "letter_at" TO "no_letter_before";--> statement-breakpoint
-- Letters about one alert lie an hour apart.
UPDATE "alerts" SET "no_letter_before" = "no_letter_before" + interval '1 hour' WHERE "no_letter_before" IS NOT NULL;
