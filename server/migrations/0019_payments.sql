CREATE TABLE "card_holds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"booking_id" uuid NOT NULL,
	"is_current" boolean DEFAULT true NOT NULL,
	"passenger_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"ride_id" uuid NOT NULL,
	"request_id" uuid NOT NULL,
	"order_number" text NOT NULL,
	"from_name" text NOT NULL,
	"to_name" text NOT NULL,
	"ride_at" timestamp (3) with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"seats" integer NOT NULL,
	"kind" text DEFAULT 'fare' NOT NULL,
	"goal" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"take_cents" integer DEFAULT 0 NOT NULL,
	"take_at" timestamp (3) with time zone,
	"refund_goal_cents" integer DEFAULT 0 NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"card_id" text,
	"card_label" text DEFAULT '' NOT NULL,
	"is_present" boolean NOT NULL,
	"is_asked" boolean DEFAULT false NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"payment_id" text,
	"state" text NOT NULL,
	"held_cents" integer DEFAULT 0 NOT NULL,
	"taken_cents" integer DEFAULT 0 NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"fee_cents" integer DEFAULT 0 NOT NULL,
	"taken_at" timestamp (3) with time zone,
	"hold_ends_at" timestamp (3) with time zone,
	"action_url" text,
	"decline_code" text,
	"trouble" text,
	"next_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"facts_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "card_holds_payment_id_unique" UNIQUE("payment_id"),
	CONSTRAINT "card_holds_amounts" CHECK (amount_cents > 0 and take_cents between 0 and amount_cents),
	CONSTRAINT "card_holds_facts" CHECK (held_cents >= 0 and taken_cents >= 0 and taken_cents <= amount_cents),
	CONSTRAINT "card_holds_refunds" CHECK (refunded_cents between 0 and taken_cents),
	CONSTRAINT "card_holds_refund_goal" CHECK (refund_goal_cents between 0 and amount_cents)
);
--> statement-breakpoint
CREATE TABLE "cards" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"position" integer NOT NULL,
	"brand" text NOT NULL,
	"last4" text NOT NULL,
	"expiry_month" integer NOT NULL,
	"expiry_year" integer NOT NULL,
	"is_default" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"booking_id" uuid NOT NULL,
	"hold_id" uuid NOT NULL,
	"passenger_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"state" text NOT NULL,
	"text" text NOT NULL,
	"answer" text DEFAULT '' NOT NULL,
	"decision" text DEFAULT '' NOT NULL,
	"refund_cents" integer,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by_id" uuid,
	CONSTRAINT "disputes_booking_id_unique" UNIQUE("booking_id")
);
--> statement-breakpoint
CREATE TABLE "ledger_lines" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"entry_id" uuid NOT NULL,
	"account" text NOT NULL,
	"cents" integer NOT NULL,
	"hold_id" uuid NOT NULL,
	"what" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payers" (
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"customer_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payers_user_id_provider_pk" PRIMARY KEY("user_id","provider")
);
--> statement-breakpoint
CREATE TABLE "payment_accounts" (
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"account_id" text NOT NULL,
	"state" text NOT NULL,
	"missing" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_accounts_user_id_provider_pk" PRIMARY KEY("user_id","provider"),
	CONSTRAINT "payment_accounts_account_id_unique" UNIQUE("account_id")
);
--> statement-breakpoint
CREATE TABLE "provider_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reconciliations" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"checked" integer NOT NULL,
	"differences" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "awaits" text;--> statement-breakpoint
ALTER TABLE "card_holds" ADD CONSTRAINT "card_holds_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_holds" ADD CONSTRAINT "card_holds_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_holds" ADD CONSTRAINT "card_holds_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_hold_id_card_holds_id_fk" FOREIGN KEY ("hold_id") REFERENCES "public"."card_holds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_resolved_by_id_users_id_fk" FOREIGN KEY ("resolved_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payers" ADD CONSTRAINT "payers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_accounts" ADD CONSTRAINT "payment_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "card_holds_current" ON "card_holds" USING btree ("booking_id") WHERE is_current;--> statement-breakpoint
CREATE INDEX "card_holds_passenger" ON "card_holds" USING btree ("passenger_id","created_at");--> statement-breakpoint
CREATE INDEX "card_holds_driver" ON "card_holds" USING btree ("driver_id","created_at");--> statement-breakpoint
CREATE INDEX "card_holds_due" ON "card_holds" USING btree ("next_at") WHERE next_at is not null;--> statement-breakpoint
CREATE INDEX "card_holds_updated" ON "card_holds" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "cards_user" ON "cards" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "disputes_passenger" ON "disputes" USING btree ("passenger_id");--> statement-breakpoint
CREATE INDEX "disputes_driver" ON "disputes" USING btree ("driver_id");--> statement-breakpoint
CREATE INDEX "ledger_lines_entry" ON "ledger_lines" USING btree ("entry_id");--> statement-breakpoint
CREATE INDEX "ledger_lines_hold" ON "ledger_lines" USING btree ("hold_id");--> statement-breakpoint
CREATE INDEX "ledger_lines_at" ON "ledger_lines" USING btree ("at");--> statement-breakpoint
CREATE INDEX "reconciliations_at" ON "reconciliations" USING btree ("at");