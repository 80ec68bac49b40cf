ALTER TABLE "disputes" DROP CONSTRAINT "disputes_booking_id_unique";--> statement-breakpoint
DROP INDEX "disputes_open";--> statement-breakpoint
CREATE INDEX "disputes_booking" ON "disputes" USING btree ("booking_id");--> statement-breakpoint
CREATE UNIQUE INDEX "disputes_booking_id_unique" ON "disputes" USING btree ("booking_id") WHERE state in ('open', 'answered');