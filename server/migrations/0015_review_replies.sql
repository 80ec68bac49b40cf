ALTER TABLE "person_reports" ADD COLUMN "review_id" uuid;--> statement-breakpoint
ALTER TABLE "person_reports" ADD COLUMN "quote" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "reply" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "replied_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "person_reports_review" ON "person_reports" USING btree ("reporter_id","review_id");