ALTER TABLE "push_devices" ALTER COLUMN "p256dh" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "push_devices" ALTER COLUMN "auth" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "push_devices" ADD COLUMN "carrier" text DEFAULT 'web' NOT NULL;--> statement-breakpoint
ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_keys" CHECK ((carrier = 'web') = (p256dh is not null and auth is not null));