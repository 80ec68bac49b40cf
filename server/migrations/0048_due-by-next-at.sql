ALTER TABLE "change_proposals" ADD COLUMN "next_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "change_proposals" SET "next_at" = "expires_at";--> statement-breakpoint
ALTER TABLE "change_proposals" ALTER COLUMN "next_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "rides" ADD COLUMN "next_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "change_proposals_due" ON "change_proposals" USING btree ("next_at") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "requests_due" ON "requests" USING btree ("latest_at") WHERE state in ('matching', 'requesting', 'inviting');--> statement-breakpoint
CREATE INDEX "rides_due" ON "rides" USING btree ("next_at","latest_departs_at") WHERE next_at is not null;--> statement-breakpoint
-- When the clock looks at a ride: the first instant after `after` at which a move of its own may be due. The
-- lengths are those of server/features/orders/rules/may.ts; rides-due.db.test.ts compares them.
CREATE FUNCTION ride_next_at(state text, departs_at timestamptz, latest_departs_at timestamptz, arrives_at timestamptz, unclear_at timestamptz, after timestamptz)
RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT min(look.at) FROM (VALUES
    (CASE WHEN state IN ('matching', 'full') THEN departs_at - interval '60 minutes' END),
    (CASE WHEN state = 'matching' AND departs_at < latest_departs_at THEN departs_at END),
    (CASE WHEN state IN ('matching', 'full') THEN latest_departs_at + interval '30 minutes' END),
    (CASE WHEN unclear_at IS NULL AND state IN ('waiting', 'driver reached') THEN latest_departs_at + interval '180 minutes' END),
    (CASE WHEN unclear_at IS NULL AND state IN ('departed', 'picking', 'ongoing') THEN arrives_at + interval '180 minutes' END)
  ) AS look(at) WHERE look.at > after
$$;--> statement-breakpoint
CREATE FUNCTION write_ride_next_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.next_at := ride_next_at(NEW.state, NEW.departs_at, NEW.latest_departs_at, NEW.arrives_at, NEW.unclear_at, '-infinity');
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER rides_next_at BEFORE INSERT OR UPDATE OF state, departs_at, latest_departs_at, arrives_at, unclear_at ON rides
FOR EACH ROW EXECUTE FUNCTION write_ride_next_at();--> statement-breakpoint
UPDATE rides SET next_at = ride_next_at(state, departs_at, latest_departs_at, arrives_at, unclear_at, '-infinity')
WHERE state NOT IN ('finished', 'cancel', 'expired');
