ALTER TABLE "users" ADD COLUMN "staff_role" text;--> statement-breakpoint
CREATE INDEX "users_staff" ON "users" USING btree ("created_at") WHERE is_admin or staff_role is not null;--> statement-breakpoint
-- Whoever has been an admin could do everything, and give the right to others.
UPDATE "users" SET "staff_role" = 'owner' WHERE "is_admin";
