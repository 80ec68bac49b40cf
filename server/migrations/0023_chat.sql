CREATE TABLE "socket_io_attachments" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT now(),
	"payload" "bytea"
);
--> statement-breakpoint
ALTER TABLE "chat_rooms" DROP CONSTRAINT "chat_rooms_id_rides_id_fk";
--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "picture_id" uuid;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "place" jsonb;--> statement-breakpoint
ALTER TABLE "chat_rooms" ADD COLUMN "ride_id" uuid;--> statement-breakpoint
UPDATE "chat_rooms" SET "ride_id" = "id";--> statement-breakpoint
ALTER TABLE "chat_rooms" ALTER COLUMN "ride_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_rooms" ADD COLUMN "booking_id" uuid;--> statement-breakpoint
ALTER TABLE "chat_rooms" ADD COLUMN "closed_because" text;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_picture_id_pictures_id_fk" FOREIGN KEY ("picture_id") REFERENCES "public"."pictures"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_rooms" ADD CONSTRAINT "chat_rooms_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_rooms" ADD CONSTRAINT "chat_rooms_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_messages_picture" ON "chat_messages" USING btree ("picture_id") WHERE picture_id is not null;--> statement-breakpoint
CREATE INDEX "chat_rooms_ride" ON "chat_rooms" USING btree ("ride_id");