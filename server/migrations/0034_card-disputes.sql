CREATE TABLE "chargebacks" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"hold_id" uuid,
	"payment_id" text,
	"state" text NOT NULL,
	"reason" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"fee_cents" integer NOT NULL,
	"withdrawn_cents" integer NOT NULL,
	"evidence_due_at" timestamp (3) with time zone,
	"has_evidence" boolean NOT NULL,
	"evidence" jsonb,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"transfer" text DEFAULT 'none' NOT NULL,
	"reversed_cents" integer DEFAULT 0 NOT NULL,
	"fee_back_cents" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"trouble" text,
	"cleared_at" timestamp (3) with time zone,
	"cleared_by_id" uuid
);
--> statement-breakpoint
CREATE TABLE "fraud_warnings" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"hold_id" uuid,
	"payment_id" text,
	"fraud_type" text NOT NULL,
	"is_actionable" boolean NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"cleared_at" timestamp (3) with time zone,
	"cleared_by_id" uuid
);
--> statement-breakpoint
CREATE TABLE "payment_alarms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"about" text NOT NULL,
	"detail" text NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ended_by_id" uuid
);
--> statement-breakpoint
CREATE TABLE "provider_cursors" (
	"provider" text NOT NULL,
	"feed" text NOT NULL,
	"last_id" text,
	"lease_ends_at" timestamp (3) with time zone,
	CONSTRAINT "provider_cursors_provider_feed_pk" PRIMARY KEY("provider","feed")
);
--> statement-breakpoint
CREATE TABLE "provider_lines" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"type" text NOT NULL,
	"category" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"fee_cents" integer NOT NULL,
	"net_cents" integer NOT NULL,
	"source_id" text,
	"at" timestamp (3) with time zone NOT NULL,
	"entry_id" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ledger_lines" ALTER COLUMN "hold_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "card_holds" ADD COLUMN "is_charged_back" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "card_holds" ADD COLUMN "charged_back_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "card_holds" ADD COLUMN "lease_ends_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "card_holds" ADD COLUMN "leased_version" integer;--> statement-breakpoint
ALTER TABLE "card_holds" ADD COLUMN "asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "card_holds" ADD COLUMN "keys_used" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "card_holds" ADD COLUMN "compared_version" integer;--> statement-breakpoint
ALTER TABLE "card_holds" ADD COLUMN "compared_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "account_id" text;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "kind" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "thing_id" text;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "metadata" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "next_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "error" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_hold_id_card_holds_id_fk" FOREIGN KEY ("hold_id") REFERENCES "public"."card_holds"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_cleared_by_id_users_id_fk" FOREIGN KEY ("cleared_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fraud_warnings" ADD CONSTRAINT "fraud_warnings_hold_id_card_holds_id_fk" FOREIGN KEY ("hold_id") REFERENCES "public"."card_holds"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fraud_warnings" ADD CONSTRAINT "fraud_warnings_cleared_by_id_users_id_fk" FOREIGN KEY ("cleared_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_alarms" ADD CONSTRAINT "payment_alarms_ended_by_id_users_id_fk" FOREIGN KEY ("ended_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chargebacks_hold" ON "chargebacks" USING btree ("hold_id");--> statement-breakpoint
CREATE INDEX "chargebacks_due" ON "chargebacks" USING btree ("next_at") WHERE next_at is not null;--> statement-breakpoint
CREATE INDEX "chargebacks_opened" ON "chargebacks" USING btree ("opened_at");--> statement-breakpoint
CREATE INDEX "fraud_warnings_hold" ON "fraud_warnings" USING btree ("hold_id");--> statement-breakpoint
CREATE INDEX "fraud_warnings_at" ON "fraud_warnings" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_alarms_open" ON "payment_alarms" USING btree ("kind","about") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "payment_alarms_last" ON "payment_alarms" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "provider_lines_source" ON "provider_lines" USING btree ("source_id");--> statement-breakpoint
CREATE INDEX "provider_lines_provider" ON "provider_lines" USING btree ("provider","at");--> statement-breakpoint
CREATE INDEX "card_holds_to_compare" ON "card_holds" USING btree ("id") WHERE payment_id is not null and (compared_version is distinct from facts_version or held_cents > 0);--> statement-breakpoint
CREATE INDEX "payment_accounts_checked" ON "payment_accounts" USING btree ("provider","checked_at");--> statement-breakpoint
CREATE INDEX "provider_events_due" ON "provider_events" USING btree ("next_at","at") WHERE next_at is not null;--> statement-breakpoint
CREATE INDEX "provider_events_received" ON "provider_events" USING btree ("received_at");--> statement-breakpoint
UPDATE "card_holds" SET "asked_at" = "updated_at" WHERE "is_asked";
