ALTER TABLE "idempotency" ADD COLUMN "fingerprint" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "idempotency" ADD COLUMN "state" text DEFAULT 'done' NOT NULL;--> statement-breakpoint
ALTER TABLE "idempotency" ADD COLUMN "owner" uuid;--> statement-breakpoint
ALTER TABLE "idempotency" ADD COLUMN "lease_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "idempotency" ADD COLUMN "step" integer;--> statement-breakpoint
ALTER TABLE "idempotency" ADD COLUMN "step_result" "bytea";