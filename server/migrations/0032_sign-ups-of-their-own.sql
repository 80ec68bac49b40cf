ALTER TABLE "signups" DROP CONSTRAINT "signups_pkey";--> statement-breakpoint
ALTER TABLE "signups" ADD COLUMN "id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "signups" ADD COLUMN "secret_hash" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "signups_email" ON "signups" USING btree ("email","created_at");
