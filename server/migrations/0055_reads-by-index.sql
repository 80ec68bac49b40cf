DROP INDEX "chat_members_user";--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "security_counts_hour" ON "security_counts" USING btree ("hour_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "chat_members_latest" ON "chat_members" USING btree ("user_id","joined_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "payers_customer" ON "payers" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "rides_vehicle_open" ON "rides" USING btree ("vehicle_id") WHERE state not in ('finished', 'cancel', 'expired');--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "licences_front" ON "licences" USING btree ("front_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "licences_back" ON "licences" USING btree ("back_id");