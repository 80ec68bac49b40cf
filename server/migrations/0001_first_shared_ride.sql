CREATE TABLE "chat_members" (
	"room_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"read_seq" integer DEFAULT 0 NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	"left_at" timestamp (3) with time zone,
	CONSTRAINT "chat_members_room_id_user_id_pk" PRIMARY KEY("room_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "chat_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"room_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"client_id" uuid NOT NULL,
	"sender_id" uuid,
	"kind" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"system" jsonb,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_rooms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"last_seq" integer DEFAULT 0 NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "blocks" (
	"blocker_id" uuid NOT NULL,
	"blocked_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "blocks_blocker_id_blocked_id_pk" PRIMARY KEY("blocker_id","blocked_id")
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"owner_id" uuid NOT NULL,
	"other_id" uuid NOT NULL,
	"remark" text DEFAULT '' NOT NULL,
	"origin" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contacts_owner_id_other_id_pk" PRIMARY KEY("owner_id","other_id")
);
--> statement-breakpoint
CREATE TABLE "tagged_contacts" (
	"tag_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "tagged_contacts_tag_id_user_id_pk" PRIMARY KEY("tag_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "tags" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organiser_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"at_name" text NOT NULL,
	"at_detail" text NOT NULL,
	"at_lon" double precision NOT NULL,
	"at_lat" double precision NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "feedback" (
	"id" uuid PRIMARY KEY NOT NULL,
	"author_id" uuid,
	"subject" text NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "places" (
	"id" text PRIMARY KEY NOT NULL,
	"pack" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"category" text DEFAULT '' NOT NULL,
	"street" text DEFAULT '' NOT NULL,
	"town" text DEFAULT '' NOT NULL,
	"postcode" text DEFAULT '' NOT NULL,
	"lon" double precision NOT NULL,
	"lat" double precision NOT NULL,
	"importance" double precision NOT NULL,
	"range" jsonb,
	"words" text NOT NULL,
	"name_vector" "tsvector" GENERATED ALWAYS AS (setweight(to_tsvector('simple', words), 'A') || setweight(to_tsvector('simple', town || ' ' || postcode), 'C')) STORED NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shortcuts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"label" text NOT NULL,
	"label_text" text DEFAULT '' NOT NULL,
	"at_name" text NOT NULL,
	"at_detail" text NOT NULL,
	"at_lon" double precision NOT NULL,
	"at_lat" double precision NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"count" bigint NOT NULL,
	"window_ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"user_id" uuid NOT NULL,
	"key" uuid NOT NULL,
	"path" text NOT NULL,
	"answer" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "outbox_letters" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signals" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"payload" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"push_cid" text DEFAULT '' NOT NULL,
	"client_type" text NOT NULL,
	"platform" text NOT NULL,
	"user_agent" text NOT NULL,
	"language" text NOT NULL,
	"screen" text NOT NULL,
	"last_launch_time" timestamp (3) with time zone NOT NULL,
	"create_time" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"purpose" text NOT NULL,
	"code_hash" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"family" uuid NOT NULL,
	"access_hash" text NOT NULL,
	"refresh_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"refresh_expires_at" timestamp (3) with time zone NOT NULL,
	"rotated_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"user_agent" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signups" (
	"email" text PRIMARY KEY NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"password_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_verified_at" timestamp (3) with time zone,
	"phone" text DEFAULT '' NOT NULL,
	"phone_region" text DEFAULT '+1' NOT NULL,
	"password_hash" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"gender" text DEFAULT 'prefer not to say' NOT NULL,
	"interests" text DEFAULT '' NOT NULL,
	"avatar" text DEFAULT '' NOT NULL,
	"prefer_contact_with" text DEFAULT 'phone' NOT NULL,
	"language" text DEFAULT 'en' NOT NULL,
	"profile_completed_at" timestamp (3) with time zone,
	"is_admin" boolean DEFAULT false NOT NULL,
	"inviter_id" uuid,
	"rating_sum" integer DEFAULT 0 NOT NULL,
	"rating_count" integer DEFAULT 0 NOT NULL,
	"completed_rides" integer DEFAULT 0 NOT NULL,
	"shared_metres" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" uuid PRIMARY KEY NOT NULL,
	"booking_id" uuid NOT NULL,
	"ride_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"stars" integer NOT NULL,
	"tags" text[] DEFAULT '{}'::text[] NOT NULL,
	"words" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"published_at" timestamp (3) with time zone,
	CONSTRAINT "reviews_stars" CHECK (stars between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "bookings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"request_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"passenger_id" uuid NOT NULL,
	"state" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"started_by" text NOT NULL,
	"seats" integer NOT NULL,
	"pickup_lon" double precision NOT NULL,
	"pickup_lat" double precision NOT NULL,
	"dropoff_lon" double precision NOT NULL,
	"dropoff_lat" double precision NOT NULL,
	"pickup_walk_metres" integer NOT NULL,
	"dropoff_walk_metres" integer NOT NULL,
	"pickup_at" timestamp (3) with time zone NOT NULL,
	"dropoff_at" timestamp (3) with time zone NOT NULL,
	"fare_cents" integer NOT NULL,
	"detour_ms" integer NOT NULL,
	"detour_metres" integer NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"joined_at" timestamp (3) with time zone,
	"reached_at" timestamp (3) with time zone,
	"met_by" text,
	"fault" text,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "move_history" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"thing" text NOT NULL,
	"thing_id" uuid NOT NULL,
	"ride_id" uuid,
	"request_id" uuid,
	"move" text NOT NULL,
	"from_state" text,
	"to_state" text NOT NULL,
	"actor" text NOT NULL,
	"actor_id" uuid,
	"note" text DEFAULT '' NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_spans" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"during" "tstzrange" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_number" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"from_name" text NOT NULL,
	"from_detail" text NOT NULL,
	"from_lon" double precision NOT NULL,
	"from_lat" double precision NOT NULL,
	"to_name" text NOT NULL,
	"to_detail" text NOT NULL,
	"to_lon" double precision NOT NULL,
	"to_lat" double precision NOT NULL,
	"time_zone" text NOT NULL,
	"estimated" boolean NOT NULL,
	"drive_ms" integer NOT NULL,
	"drive_metres" integer NOT NULL,
	"seats" integer NOT NULL,
	"visibility" text NOT NULL,
	"tag_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"contact_with" text NOT NULL,
	"flight_number" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"event_id" uuid,
	"state" text NOT NULL,
	"passenger_id" uuid NOT NULL,
	"earliest_at" timestamp (3) with time zone NOT NULL,
	"latest_at" timestamp (3) with time zone NOT NULL,
	"arrive_by" timestamp (3) with time zone NOT NULL,
	"offer_cents" integer,
	"walk_metres" integer NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "requests_order_number_unique" UNIQUE("order_number"),
	CONSTRAINT "requests_seats" CHECK (seats between 1 and 8),
	CONSTRAINT "requests_window" CHECK (earliest_at <= latest_at and latest_at <= arrive_by)
);
--> statement-breakpoint
CREATE TABLE "ride_stops" (
	"ride_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"booking_id" uuid,
	"lon" double precision NOT NULL,
	"lat" double precision NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"stands_ms" integer NOT NULL,
	"to_next_ms" integer NOT NULL,
	"to_next_metres" integer NOT NULL,
	"seats_taken" integer DEFAULT 0 NOT NULL,
	"seats" integer NOT NULL,
	CONSTRAINT "ride_stops_ride_id_position_pk" PRIMARY KEY("ride_id","position"),
	CONSTRAINT "ride_stops_seats_taken" CHECK (seats_taken between 0 and seats)
);
--> statement-breakpoint
CREATE TABLE "rides" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_number" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"from_name" text NOT NULL,
	"from_detail" text NOT NULL,
	"from_lon" double precision NOT NULL,
	"from_lat" double precision NOT NULL,
	"to_name" text NOT NULL,
	"to_detail" text NOT NULL,
	"to_lon" double precision NOT NULL,
	"to_lat" double precision NOT NULL,
	"time_zone" text NOT NULL,
	"estimated" boolean NOT NULL,
	"drive_ms" integer NOT NULL,
	"drive_metres" integer NOT NULL,
	"seats" integer NOT NULL,
	"visibility" text NOT NULL,
	"tag_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"contact_with" text NOT NULL,
	"flight_number" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"event_id" uuid,
	"state" text NOT NULL,
	"driver_id" uuid NOT NULL,
	"vehicle_id" uuid,
	"earliest_departs_at" timestamp (3) with time zone NOT NULL,
	"latest_departs_at" timestamp (3) with time zone NOT NULL,
	"departs_at" timestamp (3) with time zone NOT NULL,
	"arrives_at" timestamp (3) with time zone NOT NULL,
	"price_kind" text NOT NULL,
	"cost_cents" integer NOT NULL,
	"max_detour_ms" integer NOT NULL,
	"reached_at" timestamp (3) with time zone,
	"departed_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "rides_order_number_unique" UNIQUE("order_number"),
	CONSTRAINT "rides_seats" CHECK (seats between 1 and 8),
	CONSTRAINT "rides_cost" CHECK (cost_cents >= 0)
);
--> statement-breakpoint
CREATE TABLE "licences" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"status" text NOT NULL,
	"result" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "vehicles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"plate" text NOT NULL,
	"brand" text NOT NULL,
	"model" text NOT NULL,
	"type" text NOT NULL,
	"year" integer NOT NULL,
	"color" text NOT NULL,
	"seats" integer NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chat_members" ADD CONSTRAINT "chat_members_room_id_chat_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."chat_rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_members" ADD CONSTRAINT "chat_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_room_id_chat_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."chat_rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_rooms" ADD CONSTRAINT "chat_rooms_id_rides_id_fk" FOREIGN KEY ("id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_blocker_id_users_id_fk" FOREIGN KEY ("blocker_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_blocked_id_users_id_fk" FOREIGN KEY ("blocked_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_other_id_users_id_fk" FOREIGN KEY ("other_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tagged_contacts" ADD CONSTRAINT "tagged_contacts_tag_id_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tagged_contacts" ADD CONSTRAINT "tagged_contacts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_organiser_id_users_id_fk" FOREIGN KEY ("organiser_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shortcuts" ADD CONSTRAINT "shortcuts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_subject_id_users_id_fk" FOREIGN KEY ("subject_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_spans" ADD CONSTRAINT "order_spans_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ride_stops" ADD CONSTRAINT "ride_stops_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rides" ADD CONSTRAINT "rides_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rides" ADD CONSTRAINT "rides_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rides" ADD CONSTRAINT "rides_vehicle_id_vehicles_id_fk" FOREIGN KEY ("vehicle_id") REFERENCES "public"."vehicles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "licences" ADD CONSTRAINT "licences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vehicles" ADD CONSTRAINT "vehicles_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_members_user" ON "chat_members" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_messages_room_seq" ON "chat_messages" USING btree ("room_id","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_messages_room_client" ON "chat_messages" USING btree ("room_id","client_id");--> statement-breakpoint
CREATE INDEX "blocks_blocked" ON "blocks" USING btree ("blocked_id");--> statement-breakpoint
CREATE INDEX "contacts_other" ON "contacts" USING btree ("other_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tags_owner_name" ON "tags" USING btree ("owner_id","name");--> statement-breakpoint
CREATE INDEX "events_ends" ON "events" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "places_name_vector" ON "places" USING gin ("name_vector");--> statement-breakpoint
CREATE INDEX "places_words_trgm" ON "places" USING gin (words gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "places_lon_lat" ON "places" USING btree ("lon","lat");--> statement-breakpoint
CREATE INDEX "places_pack" ON "places" USING btree ("pack");--> statement-breakpoint
CREATE INDEX "shortcuts_owner" ON "shortcuts" USING btree ("owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX "devices_user_agent" ON "devices" USING btree ("user_id","user_agent","screen");--> statement-breakpoint
CREATE UNIQUE INDEX "email_codes_email_purpose" ON "email_codes" USING btree ("email","purpose");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_access" ON "sessions" USING btree ("access_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_refresh" ON "sessions" USING btree ("refresh_hash");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_family" ON "sessions" USING btree ("family");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "users_phone" ON "users" USING btree ("phone") WHERE phone <> '';--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_booking_author" ON "reviews" USING btree ("booking_id","author_id");--> statement-breakpoint
CREATE INDEX "reviews_subject" ON "reviews" USING btree ("subject_id");--> statement-breakpoint
CREATE INDEX "bookings_ride" ON "bookings" USING btree ("ride_id");--> statement-breakpoint
CREATE INDEX "bookings_request" ON "bookings" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "bookings_passenger" ON "bookings" USING btree ("passenger_id");--> statement-breakpoint
CREATE INDEX "bookings_expiry" ON "bookings" USING btree ("expires_at") WHERE state in ('requesting', 'inviting');--> statement-breakpoint
CREATE UNIQUE INDEX "bookings_open_pair" ON "bookings" USING btree ("ride_id","request_id") WHERE state not in ('cancel', 'rejected', 'expired', 'missed', 'finished');--> statement-breakpoint
CREATE UNIQUE INDEX "bookings_one_seat_per_request" ON "bookings" USING btree ("request_id") WHERE state in ('joined', 'waiting', 'driver reached', 'picking', 'picked');--> statement-breakpoint
CREATE INDEX "move_history_ride" ON "move_history" USING btree ("ride_id");--> statement-breakpoint
CREATE INDEX "move_history_request" ON "move_history" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "order_spans_person" ON "order_spans" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "requests_passenger" ON "requests" USING btree ("passenger_id","earliest_at");--> statement-breakpoint
CREATE INDEX "requests_open" ON "requests" USING btree ("earliest_at") WHERE state in ('matching', 'requesting', 'inviting');--> statement-breakpoint
CREATE INDEX "requests_event" ON "requests" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "rides_driver" ON "rides" USING btree ("driver_id","departs_at");--> statement-breakpoint
CREATE INDEX "rides_open" ON "rides" USING btree ("departs_at") WHERE state = 'matching';--> statement-breakpoint
CREATE INDEX "rides_event" ON "rides" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "licences_user" ON "licences" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "vehicles_owner" ON "vehicles" USING btree ("owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX "vehicles_owner_plate" ON "vehicles" USING btree ("owner_id","plate") WHERE deleted_at is null;