DROP INDEX "provider_events_received";--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "next_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "publish_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "reviews" SET "publish_at" = coalesce((SELECT b.ended_at FROM "bookings" b WHERE b.id = "reviews".booking_id), "reviews".created_at) + interval '336 hours';--> statement-breakpoint
ALTER TABLE "reviews" ALTER COLUMN "publish_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "remind_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "alerts_due" ON "alerts" USING btree ("next_at") WHERE next_at is not null;--> statement-breakpoint
CREATE INDEX "email_codes_expires" ON "email_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "outside_attempts_expires" ON "outside_attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_refresh_expires" ON "sessions" USING btree ("refresh_expires_at");--> statement-breakpoint
CREATE INDEX "signups_created" ON "signups" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "news_unread_messages" ON "news" USING btree ("at","id") WHERE kind = 'chat' and read_at is null;--> statement-breakpoint
CREATE INDEX "card_holds_due_present" ON "card_holds" USING btree ("next_at") WHERE next_at is not null and is_present;--> statement-breakpoint
CREATE INDEX "card_holds_refused" ON "card_holds" USING btree ("driver_id") WHERE is_current and goal <> 'release' and state = 'requires_payment_method';--> statement-breakpoint
CREATE INDEX "disputes_open" ON "disputes" USING btree ("booking_id") WHERE state in ('open', 'answered');--> statement-breakpoint
CREATE INDEX "payment_accounts_unready" ON "payment_accounts" USING btree ("provider","checked_at") WHERE state in ('started', 'restricted');--> statement-breakpoint
CREATE INDEX "provider_events_processed" ON "provider_events" USING btree ("received_at") WHERE next_at is null;--> statement-breakpoint
CREATE INDEX "attempts_window" ON "attempts" USING btree ("window_ends_at");--> statement-breakpoint
CREATE INDEX "idempotency_created" ON "idempotency" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "reviews_due" ON "reviews" USING btree ("publish_at") WHERE published_at is null;--> statement-breakpoint
CREATE INDEX "bookings_remind" ON "bookings" USING btree ("remind_at") WHERE remind_at is not null;--> statement-breakpoint
-- Reminders look at a booking once its passenger has joined or its pick-up has moved; the look itself writes
-- when the next one is (server/features/notifications/remind.ts).
CREATE FUNCTION write_booking_remind_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.joined_at IS NULL OR NEW.state NOT IN ('joined', 'waiting') THEN
    NEW.remind_at := NULL;
  ELSIF TG_OP = 'INSERT' OR OLD.state NOT IN ('joined', 'waiting') OR OLD.joined_at IS DISTINCT FROM NEW.joined_at
    OR OLD.pickup_at IS DISTINCT FROM NEW.pickup_at THEN
    NEW.remind_at := NEW.joined_at;
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER bookings_remind_at BEFORE INSERT OR UPDATE OF state, joined_at, pickup_at ON bookings
FOR EACH ROW EXECUTE FUNCTION write_booking_remind_at();--> statement-breakpoint
UPDATE bookings SET remind_at = joined_at WHERE state IN ('joined', 'waiting') AND joined_at IS NOT NULL;--> statement-breakpoint
UPDATE alerts SET next_at = coalesce(no_letter_before, created_at)
WHERE EXISTS (SELECT FROM alert_hits h WHERE h.alert_id = alerts.id AND h.lettered_at IS NULL AND h.read_at IS NULL);
