ALTER TABLE "chat_messages" DROP CONSTRAINT "chat_messages_pkey";--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_room_id_seq_pk" PRIMARY KEY USING INDEX "chat_messages_room_seq";--> statement-breakpoint
ALTER TABLE "chat_messages" DROP COLUMN "id";--> statement-breakpoint
ALTER TABLE "chat_members" ADD COLUMN "read_said" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "said" integer;--> statement-breakpoint
ALTER TABLE "chat_rooms" ADD COLUMN "said" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_rooms" ADD COLUMN "members_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "chat_messages" SET "said" = counted.said FROM (
  SELECT room_id, seq, count(*) FILTER (WHERE kind <> 'system') OVER (PARTITION BY room_id ORDER BY seq) AS said FROM "chat_messages"
) AS counted WHERE counted.room_id = "chat_messages".room_id AND counted.seq = "chat_messages".seq;--> statement-breakpoint
ALTER TABLE "chat_messages" ALTER COLUMN "said" SET NOT NULL;--> statement-breakpoint
UPDATE "chat_rooms" SET "said" = (SELECT m.said FROM "chat_messages" m WHERE m.room_id = "chat_rooms".id ORDER BY m.seq DESC LIMIT 1)
WHERE EXISTS (SELECT 1 FROM "chat_messages" m WHERE m.room_id = "chat_rooms".id);--> statement-breakpoint
UPDATE "chat_members" SET "read_said" = room.said - (
  SELECT count(*) FROM "chat_messages" m WHERE m.room_id = "chat_members".room_id AND m.seq > "chat_members".read_seq
    AND m.kind <> 'system' AND m.sender_id IS DISTINCT FROM "chat_members".user_id
) FROM "chat_rooms" room WHERE room.id = "chat_members".room_id;
