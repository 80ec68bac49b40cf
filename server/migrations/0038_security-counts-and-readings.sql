CREATE TABLE "admin_reading_people" (
	"reading_id" bigint NOT NULL,
	"person_id" uuid NOT NULL,
	CONSTRAINT "admin_reading_people_reading_id_person_id_pk" PRIMARY KEY("reading_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "admin_readings" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"admin_id" uuid,
	"list" text NOT NULL,
	"hour_at" timestamp (3) with time zone NOT NULL,
	"times" integer NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "security_counts" (
	"event" text NOT NULL,
	"hour_at" timestamp (3) with time zone NOT NULL,
	"count" bigint NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "security_counts_event_hour_at_pk" PRIMARY KEY("event","hour_at")
);
--> statement-breakpoint
ALTER TABLE "admin_reading_people" ADD CONSTRAINT "admin_reading_people_reading_id_admin_readings_id_fk" FOREIGN KEY ("reading_id") REFERENCES "public"."admin_readings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_reading_people" ADD CONSTRAINT "admin_reading_people_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_readings" ADD CONSTRAINT "admin_readings_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "admin_reading_people_person" ON "admin_reading_people" USING btree ("person_id");--> statement-breakpoint
CREATE UNIQUE INDEX "admin_readings_once" ON "admin_readings" USING btree ("admin_id","list","hour_at");--> statement-breakpoint
CREATE INDEX "admin_readings_last" ON "admin_readings" USING btree ("last_at");