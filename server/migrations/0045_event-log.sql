CREATE TABLE "event_cursors" (
	"consumer" text PRIMARY KEY NOT NULL,
	"txid" "xid8" NOT NULL
);
--> statement-breakpoint
-- Leaves room for the ids of a row's signals; a thing that was told of by the id of an earlier signal keeps that for itself.
CREATE SEQUENCE "event_log_id_seq" AS bigint INCREMENT BY 256 MINVALUE 256 START WITH 256 CACHE 1;
--> statement-breakpoint
SELECT setval('event_log_id_seq', (coalesce(max(id), 0) / 256 + 1) * 256) FROM "signals";
--> statement-breakpoint
-- The transaction's id is set before the row's: who waits for all lower transactions waits for this one too.
CREATE TABLE "event_log" (
	"txid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"id" bigint DEFAULT nextval('event_log_id_seq') NOT NULL,
	"written_on" date DEFAULT current_date NOT NULL,
	"items" jsonb NOT NULL
) PARTITION BY RANGE ("written_on");
--> statement-breakpoint
CREATE INDEX "event_log_in_order" ON "event_log" USING btree ("txid","id");
--> statement-breakpoint
CREATE TABLE "event_log_default" PARTITION OF "event_log" DEFAULT;
