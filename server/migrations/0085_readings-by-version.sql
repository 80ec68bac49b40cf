ALTER TABLE "chargebacks" ADD COLUMN "facts_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "fraud_warnings" ADD COLUMN "facts_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_accounts" ADD COLUMN "facts_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "chargebacks_without_payment" ON "chargebacks" USING btree ("payment_id") WHERE hold_id is null and payment_id is not null;--> statement-breakpoint
CREATE INDEX "fraud_warnings_without_payment" ON "fraud_warnings" USING btree ("payment_id") WHERE hold_id is null and payment_id is not null;