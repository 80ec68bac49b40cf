CREATE TABLE "sandbox_deliveries" (
	"event_id" text PRIMARY KEY NOT NULL,
	"attempts" integer NOT NULL,
	"next_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sandbox_keys" (
	"account" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" integer NOT NULL,
	"answer" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_keys_account_key_pk" PRIMARY KEY("account","key")
);
--> statement-breakpoint
CREATE TABLE "sandbox_objects" (
	"id" text PRIMARY KEY NOT NULL,
	"seq" bigserial NOT NULL,
	"kind" text NOT NULL,
	"account" text NOT NULL,
	"body" jsonb NOT NULL,
	"hidden" jsonb NOT NULL,
	"due_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "sandbox_deliveries_next" ON "sandbox_deliveries" USING btree ("next_at") WHERE next_at is not null;--> statement-breakpoint
CREATE INDEX "sandbox_keys_created" ON "sandbox_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sandbox_objects_list" ON "sandbox_objects" USING btree ("kind","account","seq");--> statement-breakpoint
CREATE INDEX "sandbox_objects_customer" ON "sandbox_objects" USING btree ("kind",(body ->> 'customer'));--> statement-breakpoint
CREATE INDEX "sandbox_objects_payment" ON "sandbox_objects" USING btree ("kind",(body ->> 'payment_intent'));--> statement-breakpoint
CREATE INDEX "sandbox_objects_charge" ON "sandbox_objects" USING btree ("kind",(body ->> 'charge'));--> statement-breakpoint
CREATE INDEX "sandbox_objects_due" ON "sandbox_objects" USING btree ("due_at") WHERE due_at is not null;