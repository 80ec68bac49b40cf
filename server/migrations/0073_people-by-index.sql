DROP INDEX "licences_user";--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_known" ON "users" USING btree ("id","name") WHERE found_by_name and profile_completed_at is not null and suspended_at is null and deleted_at is null and deletion_due_at is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "licences_standing" ON "licences" USING btree ("user_id","created_at","status");