CREATE EXTENSION IF NOT EXISTS btree_gist;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- Leaves room for the ids of a row's signals.
CREATE SEQUENCE "event_log_id_seq" AS bigint INCREMENT BY 256 MINVALUE 256 START WITH 256 CACHE 1;
--> statement-breakpoint
-- What the process that reads the log numbers its rows with.
CREATE SEQUENCE "event_log_numbers" AS bigint CACHE 1;
--> statement-breakpoint
-- No number comes twice, also of a change that is rolled back: a process that has seen one knows the meeting points of it.
create sequence meeting_points_versions;
--> statement-breakpoint
-- A place as a box without extent, and the box that holds all places no farther than so many metres in a straight
-- line from one of two. Degrees of longitude shrink towards the poles; a box beyond 180 degrees is all around the earth.
CREATE FUNCTION place_box(lon float8, lat float8) RETURNS box LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT box(point(lon, lat), point(lon, lat)) $$;
--> statement-breakpoint
CREATE FUNCTION reach_box(a_lon float8, a_lat float8, b_lon float8, b_lat float8, metres float8) RETURNS box
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
declare
  north float8 := metres / 111000;
  farthest float8 := greatest(abs(a_lat), abs(b_lat)) + north;
  east float8;
begin
  if farthest >= 89 then
    return box(point(-180, -90), point(180, 90));
  end if;
  east := north / cosd(farthest);
  if least(a_lon, b_lon) - east < -180 or greatest(a_lon, b_lon) + east > 180 then
    return box(point(-180, least(a_lat, b_lat) - north), point(180, greatest(a_lat, b_lat) + north));
  end if;
  return box(point(least(a_lon, b_lon) - east, least(a_lat, b_lat) - north),
    point(greatest(a_lon, b_lon) + east, greatest(a_lat, b_lat) + north));
end $$;
--> statement-breakpoint
-- Up to how far from a saved place with a label its owner wants to be told of new orders; null if they do not.
create function shown_within_metres(choices jsonb, label text) returns integer language sql immutable parallel safe as $$
  select case when (choices -> 'location' ->>
      (case label when 'home' then 'nearHome' when 'work' then 'nearWork' else 'nearOther' end))::boolean
    then (choices -> 'location' ->> 'withinMetres')::integer end
$$;
--> statement-breakpoint
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
$$;
--> statement-breakpoint
CREATE TABLE "alert_hits" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"alert_id" uuid NOT NULL,
	"ride_id" uuid,
	"request_id" uuid,
	"pickup_at" timestamp (3) with time zone NOT NULL,
	"dropoff_at" timestamp (3) with time zone NOT NULL,
	"fare_cents" integer NOT NULL,
	"detour_ms" integer NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	"gone_at" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone,
	"emailed_at" timestamp (3) with time zone,
	CONSTRAINT "alert_hits_one_order" CHECK (num_nonnulls(ride_id, request_id) = 1)
);
--> statement-breakpoint
CREATE TABLE "alert_windows" (
	"alert_id" uuid NOT NULL,
	"earliest_at" timestamp (3) with time zone NOT NULL,
	"latest_at" timestamp (3) with time zone NOT NULL,
	"reach" "box" NOT NULL,
	CONSTRAINT "alert_windows_alert_id_earliest_at_pk" PRIMARY KEY("alert_id","earliest_at"),
	CONSTRAINT "alert_windows_span" CHECK (earliest_at <= latest_at and latest_at <= earliest_at + interval '1 day')
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"role" text NOT NULL,
	"from_name" text NOT NULL,
	"from_detail" text NOT NULL,
	"from_lon" double precision NOT NULL,
	"from_lat" double precision NOT NULL,
	"to_name" text NOT NULL,
	"to_detail" text NOT NULL,
	"to_lon" double precision NOT NULL,
	"to_lat" double precision NOT NULL,
	"region_id" text DEFAULT '' NOT NULL,
	"time_zone" text NOT NULL,
	"estimated" boolean NOT NULL,
	"drive_ms" integer NOT NULL,
	"drive_metres" integer NOT NULL,
	"seats" integer NOT NULL,
	"pets" boolean DEFAULT false NOT NULL,
	"luggage" boolean DEFAULT false NOT NULL,
	"quiet" boolean DEFAULT false NOT NULL,
	"women" boolean DEFAULT false NOT NULL,
	"days" integer[],
	"from_time" text,
	"to_time" text,
	"until" text,
	"offer_cents" integer,
	"walk_metres" integer,
	"pickup_meeting_points" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"dropoff_meeting_points" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"max_detour_ms" integer,
	"price_kind" text,
	"cost_cents" integer,
	"sameness" text NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"no_email_before" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "alerts_seats" CHECK (seats between 1 and 8),
	CONSTRAINT "alerts_role" CHECK (case role when 'passenger' then walk_metres is not null else max_detour_ms is not null and price_kind is not null and cost_cents >= 0 end)
);
--> statement-breakpoint
CREATE TABLE "announcements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"title_en" text NOT NULL,
	"title_zh" text NOT NULL,
	"text_en" text NOT NULL,
	"text_zh" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone NOT NULL,
	"community" text DEFAULT '' NOT NULL,
	"author_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "admin_actions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"admin_id" uuid,
	"action" text NOT NULL,
	"person_id" uuid,
	"thing_id" uuid,
	"note" text DEFAULT '' NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "chat_members" (
	"room_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"read_seq" integer DEFAULT 0 NOT NULL,
	"read_said" integer DEFAULT 0 NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	"left_at" timestamp (3) with time zone,
	CONSTRAINT "chat_members_room_id_user_id_pk" PRIMARY KEY("room_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "chat_messages" (
	"room_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"said" integer NOT NULL,
	"client_id" uuid NOT NULL,
	"sender_id" uuid,
	"kind" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"system" jsonb,
	"picture_id" uuid,
	"place" jsonb,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "chat_messages_room_id_seq_pk" PRIMARY KEY("room_id","seq")
);
--> statement-breakpoint
CREATE TABLE "chat_rooms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"booking_id" uuid,
	"last_seq" integer DEFAULT 0 NOT NULL,
	"said" integer DEFAULT 0 NOT NULL,
	"members_version" integer DEFAULT 0 NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closed_because" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "socket_io_attachments" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT now(),
	"payload" "bytea"
);
--> statement-breakpoint
CREATE TABLE "commutes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"role" text NOT NULL,
	"recurring_id" uuid,
	"from_area" integer NOT NULL,
	"to_area" integer NOT NULL,
	"from_label" text NOT NULL,
	"to_label" text NOT NULL,
	"from_lon" double precision NOT NULL,
	"from_lat" double precision NOT NULL,
	"to_lon" double precision NOT NULL,
	"to_lat" double precision NOT NULL,
	"drive_ms" integer NOT NULL,
	"max_detour_ms" integer NOT NULL,
	"corridor" integer[] NOT NULL,
	"days" smallint NOT NULL,
	"minute" smallint NOT NULL,
	"part" smallint NOT NULL,
	"time_zone" text NOT NULL,
	"visibility" text NOT NULL,
	"tag_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL,
	"women" boolean NOT NULL,
	"is_counted" boolean NOT NULL,
	"is_regular" boolean NOT NULL,
	CONSTRAINT "commutes_days" CHECK (days between 1 and 127),
	CONSTRAINT "commutes_minute" CHECK (minute between 0 and 1439)
);
--> statement-breakpoint
CREATE TABLE "commutes_due" (
	"person_id" uuid PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key_hash" text NOT NULL,
	"shown" text NOT NULL,
	"scopes" text[] NOT NULL,
	"calls_per_minute" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"used_at" timestamp (3) with time zone,
	"network" text DEFAULT '' NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "directory_groups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"display_name" text NOT NULL,
	"external_id" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_members" (
	"group_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "directory_members_group_id_user_id_pk" PRIMARY KEY("group_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "directory_roles" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"role" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_users" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"user_name" text NOT NULL,
	"external_id" text DEFAULT '' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"has_suspended" boolean DEFAULT false NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "group_roles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"group_name" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_groups" (
	"user_id" uuid NOT NULL,
	"issuer" text NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "sign_in_groups_user_id_issuer_name_pk" PRIMARY KEY("user_id","issuer","name")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"webhook_id" uuid NOT NULL,
	"source" text NOT NULL,
	"event" text NOT NULL,
	"body" text NOT NULL,
	"state" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"tried_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone NOT NULL,
	"status" integer,
	"trouble" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"state" text NOT NULL,
	"secret" text NOT NULL,
	"former_secret" text,
	"former_secret_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"rests_until" timestamp (3) with time zone,
	"last_delivered_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "blocks" (
	"blocker_id" uuid NOT NULL,
	"blocked_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "blocks_blocker_id_blocked_id_pk" PRIMARY KEY("blocker_id","blocked_id")
);
--> statement-breakpoint
CREATE TABLE "contact_applications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"from_id" uuid NOT NULL,
	"to_id" uuid NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"origin" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone
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
CREATE TABLE "person_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"reporter_id" uuid,
	"subject_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"words" text DEFAULT '' NOT NULL,
	"review_id" uuid,
	"quote" text DEFAULT '' NOT NULL,
	"room_id" uuid,
	"message_seq" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"handled_at" timestamp (3) with time zone,
	"handled_by_id" uuid,
	"outcome" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reported_messages" (
	"report_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"is_reported" boolean NOT NULL,
	"sender_id" uuid,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"picture_id" uuid,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reported_messages_report_id_seq_pk" PRIMARY KEY("report_id","seq")
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
CREATE TABLE "event_places" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"ride_id" uuid NOT NULL,
	"request_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"passenger_id" uuid NOT NULL,
	"state" text NOT NULL,
	"pickup_at" timestamp (3) with time zone NOT NULL,
	"dropoff_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organizer_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"at_name" text NOT NULL,
	"at_detail" text NOT NULL,
	"at_lon" double precision NOT NULL,
	"at_lat" double precision NOT NULL,
	"region_id" text DEFAULT '' NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"picture_id" uuid,
	"visibility" text DEFAULT 'public' NOT NULL,
	"expected_people" integer,
	"canceled_at" timestamp (3) with time zone,
	"plan_sent_at" timestamp (3) with time zone,
	"plan_version" integer DEFAULT 0 NOT NULL,
	"short_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "events_short_hash_unique" UNIQUE("short_hash")
);
--> statement-breakpoint
CREATE TABLE "data_exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"state" text DEFAULT 'preparing' NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"next_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"parts" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"ready_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "feedback" (
	"id" uuid PRIMARY KEY NOT NULL,
	"author_id" uuid,
	"subject" text NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"answer" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "places" (
	"id" text PRIMARY KEY NOT NULL,
	"pack" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"other_names" text[] DEFAULT '{}' NOT NULL,
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
	"shown_within_metres" integer,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"document" text NOT NULL,
	"version" text NOT NULL,
	"given" boolean NOT NULL,
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
CREATE TABLE "oauth_attempts" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"nonce" text NOT NULL,
	"verifier" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"language" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "federated_identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "federated_identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"family" uuid NOT NULL,
	"parent_id" uuid,
	"used_at" timestamp (3) with time zone,
	"access_hash" text NOT NULL,
	"refresh_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"refresh_expires_at" timestamp (3) with time zone NOT NULL,
	"rotated_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"user_agent" text DEFAULT '' NOT NULL,
	"address_hash" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signups" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"secret_hash" text DEFAULT '' NOT NULL,
	"email" text NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"password_hash" text NOT NULL,
	"language" text DEFAULT 'en' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_verified_at" timestamp (3) with time zone,
	"phone" text DEFAULT '' NOT NULL,
	"phone_region" text DEFAULT '+1' NOT NULL,
	"phone_verified_at" timestamp (3) with time zone,
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
	"deletion_asked_at" timestamp (3) with time zone,
	"deletion_due_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	"staff_role" text,
	"suspended_at" timestamp (3) with time zone,
	"suspended_reason" text DEFAULT '' NOT NULL,
	"inviter_id" uuid,
	"found_by_email" boolean DEFAULT true NOT NULL,
	"found_by_phone" boolean DEFAULT true NOT NULL,
	"found_by_name" boolean DEFAULT true NOT NULL,
	"phone_seen_by" text DEFAULT 'joined' NOT NULL,
	"rating_sum" integer DEFAULT 0 NOT NULL,
	"rating_count" integer DEFAULT 0 NOT NULL,
	"completed_rides" integer DEFAULT 0 NOT NULL,
	"shared_metres" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"other_id" uuid,
	"source" text NOT NULL,
	"thing" text NOT NULL,
	"kind" text NOT NULL,
	"word" text NOT NULL,
	"facts" jsonb NOT NULL,
	"path" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "notification_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"notification_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"good_until" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"left_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "notification_settings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"choices" jsonb NOT NULL,
	"saved_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_devices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"family" uuid NOT NULL,
	"carrier" text DEFAULT 'web' NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text,
	"auth" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "push_devices_keys" CHECK ((carrier = 'web') = (p256dh is not null and auth is not null))
);
--> statement-breakpoint
CREATE TABLE "authorizations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"booking_id" uuid NOT NULL,
	"is_current" boolean DEFAULT true NOT NULL,
	"passenger_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"ride_id" uuid NOT NULL,
	"request_id" uuid NOT NULL,
	"order_number" text NOT NULL,
	"from_name" text NOT NULL,
	"to_name" text NOT NULL,
	"ride_at" timestamp (3) with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"seats" integer NOT NULL,
	"kind" text DEFAULT 'fare' NOT NULL,
	"goal" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"capture_cents" integer DEFAULT 0 NOT NULL,
	"capture_at" timestamp (3) with time zone,
	"refund_goal_cents" integer DEFAULT 0 NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"card_id" text,
	"card_label" text DEFAULT '' NOT NULL,
	"is_present" boolean NOT NULL,
	"is_asked" boolean DEFAULT false NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"payment_id" text,
	"state" text NOT NULL,
	"authorized_cents" integer DEFAULT 0 NOT NULL,
	"captured_cents" integer DEFAULT 0 NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"fee_cents" integer DEFAULT 0 NOT NULL,
	"captured_at" timestamp (3) with time zone,
	"capture_before" timestamp (3) with time zone,
	"action_url" text,
	"decline_code" text,
	"trouble" text,
	"is_charged_back" boolean DEFAULT false NOT NULL,
	"charged_back_cents" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease_ends_at" timestamp (3) with time zone,
	"leased_version" integer,
	"asked_at" timestamp (3) with time zone,
	"keys_used" integer DEFAULT 0 NOT NULL,
	"compared_version" integer,
	"compared_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"facts_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "authorizations_payment_id_unique" UNIQUE("payment_id"),
	CONSTRAINT "authorizations_amounts" CHECK (amount_cents > 0 and capture_cents between 0 and amount_cents),
	CONSTRAINT "authorizations_facts" CHECK (authorized_cents >= 0 and captured_cents >= 0 and captured_cents <= amount_cents),
	CONSTRAINT "authorizations_refunds" CHECK (refunded_cents between 0 and captured_cents),
	CONSTRAINT "authorizations_refund_goal" CHECK (refund_goal_cents between 0 and amount_cents)
);
--> statement-breakpoint
CREATE TABLE "cards" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"position" integer NOT NULL,
	"brand" text NOT NULL,
	"last4" text NOT NULL,
	"expiry_month" integer NOT NULL,
	"expiry_year" integer NOT NULL,
	"is_default" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chargebacks" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"authorization_id" uuid,
	"payment_id" text,
	"state" text NOT NULL,
	"reason" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"fee_cents" integer NOT NULL,
	"withdrawn_cents" integer NOT NULL,
	"evidence_due_at" timestamp (3) with time zone,
	"has_evidence" boolean NOT NULL,
	"evidence" jsonb,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"facts_version" integer DEFAULT 1 NOT NULL,
	"transfer" text DEFAULT 'none' NOT NULL,
	"reversed_cents" integer DEFAULT 0 NOT NULL,
	"fee_back_cents" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"trouble" text,
	"keys_used" integer DEFAULT 0 NOT NULL,
	"cleared_at" timestamp (3) with time zone,
	"cleared_by_id" uuid
);
--> statement-breakpoint
CREATE TABLE "claims" (
	"id" uuid PRIMARY KEY NOT NULL,
	"booking_id" uuid NOT NULL,
	"authorization_id" uuid NOT NULL,
	"passenger_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"state" text NOT NULL,
	"text" text NOT NULL,
	"answer" text DEFAULT '' NOT NULL,
	"decision" text DEFAULT '' NOT NULL,
	"refund_cents" integer,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by_id" uuid
);
--> statement-breakpoint
CREATE TABLE "fraud_warnings" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"authorization_id" uuid,
	"payment_id" text,
	"fraud_type" text NOT NULL,
	"is_actionable" boolean NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"facts_version" integer DEFAULT 1 NOT NULL,
	"cleared_at" timestamp (3) with time zone,
	"cleared_by_id" uuid
);
--> statement-breakpoint
CREATE TABLE "ledger_lines" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"entry_id" uuid NOT NULL,
	"account" text NOT NULL,
	"cents" integer NOT NULL,
	"authorization_id" uuid,
	"what" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_sums" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"account" text NOT NULL,
	"cents" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "open_sums" (
	"provider" text PRIMARY KEY NOT NULL,
	"sums" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payers" (
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"customer_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"card_reads" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "payers_user_id_provider_pk" PRIMARY KEY("user_id","provider")
);
--> statement-breakpoint
CREATE TABLE "payment_accounts" (
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"account_id" text NOT NULL,
	"state" text NOT NULL,
	"missing" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"facts_version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "payment_accounts_user_id_provider_pk" PRIMARY KEY("user_id","provider"),
	CONSTRAINT "payment_accounts_account_id_unique" UNIQUE("account_id")
);
--> statement-breakpoint
CREATE TABLE "payment_alarms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"about" text NOT NULL,
	"detail" text NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ended_by_id" uuid
);
--> statement-breakpoint
CREATE TABLE "provider_cursors" (
	"provider" text NOT NULL,
	"feed" text NOT NULL,
	"last_id" text,
	"lease_ends_at" timestamp (3) with time zone,
	CONSTRAINT "provider_cursors_provider_feed_pk" PRIMARY KEY("provider","feed")
);
--> statement-breakpoint
CREATE TABLE "provider_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"account_id" text,
	"kind" text DEFAULT '' NOT NULL,
	"thing_id" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"next_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_transactions" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"type" text NOT NULL,
	"category" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"fee_cents" integer NOT NULL,
	"net_cents" integer NOT NULL,
	"source_id" text,
	"at" timestamp (3) with time zone NOT NULL,
	"entry_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reconciliations" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"checked" integer NOT NULL,
	"differences" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pictures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"object_key" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "removed_files" (
	"object_key" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tries" (
	"key" text PRIMARY KEY NOT NULL,
	"count" bigint NOT NULL,
	"window_ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_cursors" (
	"consumer" text PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_log" (
	"seq" bigint,
	"id" bigint DEFAULT nextval('event_log_id_seq') NOT NULL,
	"written_on" date DEFAULT current_date NOT NULL,
	"items" jsonb NOT NULL
) PARTITION BY RANGE ("written_on");
--> statement-breakpoint
CREATE TABLE "event_log_default" PARTITION OF "event_log" DEFAULT;
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"user_id" uuid NOT NULL,
	"key" uuid NOT NULL,
	"path" text NOT NULL,
	"fingerprint" text NOT NULL,
	"state" text NOT NULL,
	"owner" uuid NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"step" text,
	"step_result" "bytea",
	"answer" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "outages" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"page" text,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_heartbeat" (
	"id" integer PRIMARY KEY NOT NULL,
	"wall_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "failed_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"task" text NOT NULL,
	"recipient" text NOT NULL,
	"what" text NOT NULL,
	"payload" jsonb NOT NULL,
	"error" text NOT NULL,
	"attempts" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
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
	"reply" text DEFAULT '' NOT NULL,
	"replied_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"published_at" timestamp (3) with time zone,
	"publish_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reviews_stars" CHECK (stars between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "bookings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"request_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"passenger_id" uuid NOT NULL,
	"region_id" text DEFAULT '' NOT NULL,
	"state" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"started_by" text NOT NULL,
	"awaits" text,
	"seats" integer NOT NULL,
	"pickup_lon" double precision NOT NULL,
	"pickup_lat" double precision NOT NULL,
	"dropoff_lon" double precision NOT NULL,
	"dropoff_lat" double precision NOT NULL,
	"pickup_walk_metres" integer NOT NULL,
	"dropoff_walk_metres" integer NOT NULL,
	"pickup_walk_ms" integer DEFAULT 0 NOT NULL,
	"dropoff_walk_ms" integer DEFAULT 0 NOT NULL,
	"pickup_name" text DEFAULT '' NOT NULL,
	"dropoff_name" text DEFAULT '' NOT NULL,
	"pickup_at" timestamp (3) with time zone NOT NULL,
	"dropoff_at" timestamp (3) with time zone NOT NULL,
	"fare_cents" integer NOT NULL,
	"late_fee_cents" integer,
	"detour_ms" integer NOT NULL,
	"detour_metres" integer NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"joined_at" timestamp (3) with time zone,
	"unclear_at" timestamp (3) with time zone,
	"reached_at" timestamp (3) with time zone,
	"reached_by" text,
	"contacted_at" timestamp (3) with time zone,
	"remind_at" timestamp (3) with time zone,
	"met_by" text,
	"fault" text,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "interrupted_bookings" (
	"booking_id" uuid PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"ridden_metres" integer NOT NULL,
	"route_metres" integer NOT NULL,
	"share_cents" integer NOT NULL,
	"decided_cents" integer,
	"note" text DEFAULT '' NOT NULL,
	CONSTRAINT "interrupted_bookings_metres" CHECK (ridden_metres between 0 and route_metres),
	CONSTRAINT "interrupted_bookings_decided" CHECK (decided_cents between 0 and share_cents)
);
--> statement-breakpoint
CREATE TABLE "interrupted_rides" (
	"ride_id" uuid PRIMARY KEY NOT NULL,
	"driver_id" uuid NOT NULL,
	"by" text NOT NULL,
	"kind" text NOT NULL,
	"words" text DEFAULT '' NOT NULL,
	"source" text NOT NULL,
	"lon" double precision NOT NULL,
	"lat" double precision NOT NULL,
	"place" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "change_answers" (
	"proposal_id" uuid NOT NULL,
	"booking_id" uuid NOT NULL,
	"passenger_id" uuid NOT NULL,
	"accepted" boolean NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "change_answers_proposal_id_booking_id_pk" PRIMARY KEY("proposal_id","booking_id")
);
--> statement-breakpoint
CREATE TABLE "change_proposals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"state" text NOT NULL,
	"departs_at" timestamp (3) with time zone NOT NULL,
	"cost_cents" integer NOT NULL,
	"way" jsonb,
	"route" jsonb,
	"note" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "change_proposals_way" CHECK ((way is null) = (route is null))
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
CREATE TABLE "order_grants" (
	"order_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "order_grants_order_id_person_id_pk" PRIMARY KEY("order_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "share_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	"short_hash" text NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "share_links_order_id_unique" UNIQUE("order_id"),
	CONSTRAINT "share_links_code_hash_unique" UNIQUE("code_hash"),
	CONSTRAINT "share_links_short_hash_unique" UNIQUE("short_hash")
);
--> statement-breakpoint
CREATE TABLE "order_numbers" (
	"number" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_spans" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"during" "tstzrange" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recurring_rides" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"state" text NOT NULL,
	"template" jsonb NOT NULL,
	"time_zone" text NOT NULL,
	"weekdays" integer[] NOT NULL,
	"local_time" text NOT NULL,
	"from_day" text NOT NULL,
	"until_day" text NOT NULL,
	"pair_id" uuid,
	"paired_days_later" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_number" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"region_id" text DEFAULT '' NOT NULL,
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
	"pets" boolean DEFAULT false NOT NULL,
	"luggage" boolean DEFAULT false NOT NULL,
	"quiet" boolean DEFAULT false NOT NULL,
	"women" boolean DEFAULT false NOT NULL,
	"flight_number" text DEFAULT '' NOT NULL,
	"pair_id" uuid,
	"recurring_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"event_id" uuid,
	"state" text NOT NULL,
	"passenger_id" uuid NOT NULL,
	"earliest_at" timestamp (3) with time zone NOT NULL,
	"latest_at" timestamp (3) with time zone NOT NULL,
	"arrive_by" timestamp (3) with time zone NOT NULL,
	"offer_cents" integer,
	"walk_metres" integer NOT NULL,
	"pickup_meeting_points" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"dropoff_meeting_points" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"meeting_points_version" bigint DEFAULT 0 NOT NULL,
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
	"region_id" text DEFAULT '' NOT NULL,
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
	"pets" boolean DEFAULT false NOT NULL,
	"luggage" boolean DEFAULT false NOT NULL,
	"quiet" boolean DEFAULT false NOT NULL,
	"women" boolean DEFAULT false NOT NULL,
	"flight_number" text DEFAULT '' NOT NULL,
	"pair_id" uuid,
	"recurring_id" uuid,
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
	"traffic_permille" integer DEFAULT 1000 NOT NULL,
	"max_detour_ms" integer NOT NULL,
	"via" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"via_passed" integer DEFAULT 0 NOT NULL,
	"instant" boolean DEFAULT false NOT NULL,
	"unclear_at" timestamp (3) with time zone,
	"reached_at" timestamp (3) with time zone,
	"reached_by" text,
	"departed_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	CONSTRAINT "rides_order_number_unique" UNIQUE("order_number"),
	CONSTRAINT "rides_seats" CHECK (seats between 1 and 8),
	CONSTRAINT "rides_cost" CHECK (cost_cents >= 0),
	CONSTRAINT "rides_traffic" CHECK (traffic_permille between 1000 and 2000),
	CONSTRAINT "rides_via" CHECK (via_passed between 0 and jsonb_array_length(via))
);
--> statement-breakpoint
CREATE TABLE "recurring_days" (
	"recurring_id" uuid NOT NULL,
	"day" text NOT NULL,
	"outcome" text NOT NULL,
	"order_id" uuid,
	"edited" boolean DEFAULT false NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	CONSTRAINT "recurring_days_recurring_id_day_pk" PRIMARY KEY("recurring_id","day")
);
--> statement-breakpoint
CREATE TABLE "waitlist" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"request_id" uuid NOT NULL,
	"passenger_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alarms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"lon" double precision,
	"lat" double precision,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trip_shares" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"to_id" uuid,
	"secret_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trip_shares_secret_hash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE TABLE "trusted_contacts" (
	"owner_id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"phone" text NOT NULL,
	"email" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"purpose" text NOT NULL,
	"challenge" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint DEFAULT 0 NOT NULL,
	"transports" text DEFAULT '' NOT NULL,
	"is_backed_up" boolean DEFAULT false NOT NULL,
	"name" text NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_tickets" (
	"ticket_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_ins" (
	"family" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL,
	"network" text DEFAULT '' NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL,
	"proved_at" timestamp (3) with time zone NOT NULL,
	"second_factor_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "totp_secrets" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "daily_figures" (
	"day" date NOT NULL,
	"name" text NOT NULL,
	"bucket" integer DEFAULT 0 NOT NULL,
	"value" bigint NOT NULL,
	CONSTRAINT "daily_figures_day_name_bucket_pk" PRIMARY KEY("day","name","bucket")
);
--> statement-breakpoint
CREATE TABLE "figures_counted" (
	"id" integer PRIMARY KEY NOT NULL,
	"until_at" timestamp (3) with time zone NOT NULL,
	"time_zone" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "strikes" (
	"ride_id" uuid PRIMARY KEY NOT NULL,
	"driver_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"by" text DEFAULT 'driver' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "canned_answers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"language" text NOT NULL,
	"writer_id" uuid,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ticket_messages" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"ticket_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"author_id" uuid,
	"to_id" uuid,
	"text" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tickets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" integer GENERATED ALWAYS AS IDENTITY (sequence name "tickets_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"feedback_id" uuid,
	"report_id" uuid,
	"author_id" uuid,
	"state" text DEFAULT 'open' NOT NULL,
	"assignee_id" uuid,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tickets_source" CHECK ((feedback_id is null) <> (report_id is null))
);
--> statement-breakpoint
CREATE TABLE "contact_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"booking_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "driver_reports" (
	"booking_id" uuid PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"passenger_id" uuid NOT NULL,
	"by" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"resolve_at" timestamp (3) with time zone NOT NULL,
	"outcome" text,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "rebooking_emails" (
	"booking_id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ride_positions" (
	"ride_id" uuid PRIMARY KEY NOT NULL,
	"driver_id" uuid NOT NULL,
	"lon" double precision NOT NULL,
	"lat" double precision NOT NULL,
	"heading_degrees" double precision,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ride_questions" (
	"booking_id" uuid PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"passenger_id" uuid NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answer_by" timestamp (3) with time zone NOT NULL,
	"driver_says" boolean,
	"passenger_says" boolean,
	"outcome" text,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "rider_positions" (
	"booking_id" uuid PRIMARY KEY NOT NULL,
	"ride_id" uuid NOT NULL,
	"passenger_id" uuid NOT NULL,
	"lon" double precision NOT NULL,
	"lat" double precision NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "licenses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"status" text NOT NULL,
	"result" text DEFAULT '' NOT NULL,
	"front_id" uuid,
	"back_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by" uuid
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
CREATE TABLE "sandbox_deliveries" (
	"event_id" text PRIMARY KEY NOT NULL,
	"attempts" integer NOT NULL,
	"next_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sandbox_keys" (
	"account" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" integer NOT NULL,
	"answer" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_keys_account_key_pk" PRIMARY KEY("account","key")
);
--> statement-breakpoint
CREATE TABLE "sandbox_objects" (
	"id" text PRIMARY KEY NOT NULL,
	"seq" bigserial NOT NULL,
	"kind" text NOT NULL,
	"account" text NOT NULL,
	"body" jsonb NOT NULL,
	"hidden" jsonb NOT NULL,
	"due_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "alert_hits" ADD CONSTRAINT "alert_hits_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "alert_hits" ADD CONSTRAINT "alert_hits_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "alert_hits" ADD CONSTRAINT "alert_hits_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "alert_windows" ADD CONSTRAINT "alert_windows_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "admin_actions" ADD CONSTRAINT "admin_actions_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "admin_actions" ADD CONSTRAINT "admin_actions_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "admin_reading_people" ADD CONSTRAINT "admin_reading_people_reading_id_admin_readings_id_fk" FOREIGN KEY ("reading_id") REFERENCES "public"."admin_readings"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "admin_reading_people" ADD CONSTRAINT "admin_reading_people_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "admin_readings" ADD CONSTRAINT "admin_readings_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_members" ADD CONSTRAINT "chat_members_room_id_chat_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."chat_rooms"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_members" ADD CONSTRAINT "chat_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_room_id_chat_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."chat_rooms"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_picture_id_pictures_id_fk" FOREIGN KEY ("picture_id") REFERENCES "public"."pictures"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_rooms" ADD CONSTRAINT "chat_rooms_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_rooms" ADD CONSTRAINT "chat_rooms_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "commutes" ADD CONSTRAINT "commutes_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "commutes" ADD CONSTRAINT "commutes_recurring_id_recurring_rides_id_fk" FOREIGN KEY ("recurring_id") REFERENCES "public"."recurring_rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "commutes_due" ADD CONSTRAINT "commutes_due_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "directory_members" ADD CONSTRAINT "directory_members_group_id_directory_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."directory_groups"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "directory_members" ADD CONSTRAINT "directory_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "directory_roles" ADD CONSTRAINT "directory_roles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "directory_users" ADD CONSTRAINT "directory_users_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sign_in_groups" ADD CONSTRAINT "sign_in_groups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_blocker_id_users_id_fk" FOREIGN KEY ("blocker_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_blocked_id_users_id_fk" FOREIGN KEY ("blocked_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contact_applications" ADD CONSTRAINT "contact_applications_from_id_users_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contact_applications" ADD CONSTRAINT "contact_applications_to_id_users_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_other_id_users_id_fk" FOREIGN KEY ("other_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "person_reports" ADD CONSTRAINT "person_reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "person_reports" ADD CONSTRAINT "person_reports_subject_id_users_id_fk" FOREIGN KEY ("subject_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "reported_messages" ADD CONSTRAINT "reported_messages_report_id_person_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."person_reports"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "reported_messages" ADD CONSTRAINT "reported_messages_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "reported_messages" ADD CONSTRAINT "reported_messages_picture_id_pictures_id_fk" FOREIGN KEY ("picture_id") REFERENCES "public"."pictures"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tagged_contacts" ADD CONSTRAINT "tagged_contacts_tag_id_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tags"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tagged_contacts" ADD CONSTRAINT "tagged_contacts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "event_places" ADD CONSTRAINT "event_places_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "event_places" ADD CONSTRAINT "event_places_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "event_places" ADD CONSTRAINT "event_places_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "event_places" ADD CONSTRAINT "event_places_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "event_places" ADD CONSTRAINT "event_places_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_organizer_id_users_id_fk" FOREIGN KEY ("organizer_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_picture_id_pictures_id_fk" FOREIGN KEY ("picture_id") REFERENCES "public"."pictures"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "data_exports" ADD CONSTRAINT "data_exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "shortcuts" ADD CONSTRAINT "shortcuts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "federated_identities" ADD CONSTRAINT "federated_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_other_id_users_id_fk" FOREIGN KEY ("other_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_notification_id_notifications_id_fk" FOREIGN KEY ("notification_id") REFERENCES "public"."notifications"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "authorizations" ADD CONSTRAINT "authorizations_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "authorizations" ADD CONSTRAINT "authorizations_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "authorizations" ADD CONSTRAINT "authorizations_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_authorization_id_authorizations_id_fk" FOREIGN KEY ("authorization_id") REFERENCES "public"."authorizations"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_cleared_by_id_users_id_fk" FOREIGN KEY ("cleared_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_authorization_id_authorizations_id_fk" FOREIGN KEY ("authorization_id") REFERENCES "public"."authorizations"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_resolved_by_id_users_id_fk" FOREIGN KEY ("resolved_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "fraud_warnings" ADD CONSTRAINT "fraud_warnings_authorization_id_authorizations_id_fk" FOREIGN KEY ("authorization_id") REFERENCES "public"."authorizations"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "fraud_warnings" ADD CONSTRAINT "fraud_warnings_cleared_by_id_users_id_fk" FOREIGN KEY ("cleared_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payers" ADD CONSTRAINT "payers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_accounts" ADD CONSTRAINT "payment_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_alarms" ADD CONSTRAINT "payment_alarms_ended_by_id_users_id_fk" FOREIGN KEY ("ended_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_subject_id_users_id_fk" FOREIGN KEY ("subject_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "interrupted_bookings" ADD CONSTRAINT "interrupted_bookings_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "interrupted_bookings" ADD CONSTRAINT "interrupted_bookings_ride_id_interrupted_rides_ride_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."interrupted_rides"("ride_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "interrupted_rides" ADD CONSTRAINT "interrupted_rides_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "interrupted_rides" ADD CONSTRAINT "interrupted_rides_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "change_answers" ADD CONSTRAINT "change_answers_proposal_id_change_proposals_id_fk" FOREIGN KEY ("proposal_id") REFERENCES "public"."change_proposals"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "change_answers" ADD CONSTRAINT "change_answers_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "change_answers" ADD CONSTRAINT "change_answers_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "change_proposals" ADD CONSTRAINT "change_proposals_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "change_proposals" ADD CONSTRAINT "change_proposals_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "order_grants" ADD CONSTRAINT "order_grants_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "order_grants" ADD CONSTRAINT "order_grants_link_id_share_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."share_links"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "share_links" ADD CONSTRAINT "share_links_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "order_spans" ADD CONSTRAINT "order_spans_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- Two open orders of one person never overlap.
ALTER TABLE "order_spans" ADD CONSTRAINT "order_spans_no_overlap" EXCLUDE USING gist ("person_id" WITH =, "during" WITH &&);
--> statement-breakpoint
ALTER TABLE "recurring_rides" ADD CONSTRAINT "recurring_rides_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_recurring_id_recurring_rides_id_fk" FOREIGN KEY ("recurring_id") REFERENCES "public"."recurring_rides"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ride_stops" ADD CONSTRAINT "ride_stops_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "rides" ADD CONSTRAINT "rides_recurring_id_recurring_rides_id_fk" FOREIGN KEY ("recurring_id") REFERENCES "public"."recurring_rides"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "rides" ADD CONSTRAINT "rides_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "rides" ADD CONSTRAINT "rides_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "rides" ADD CONSTRAINT "rides_vehicle_id_vehicles_id_fk" FOREIGN KEY ("vehicle_id") REFERENCES "public"."vehicles"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "recurring_days" ADD CONSTRAINT "recurring_days_recurring_id_recurring_rides_id_fk" FOREIGN KEY ("recurring_id") REFERENCES "public"."recurring_rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "waitlist" ADD CONSTRAINT "waitlist_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "waitlist" ADD CONSTRAINT "waitlist_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "waitlist" ADD CONSTRAINT "waitlist_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "trip_shares" ADD CONSTRAINT "trip_shares_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "trip_shares" ADD CONSTRAINT "trip_shares_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "trip_shares" ADD CONSTRAINT "trip_shares_to_id_users_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "trusted_contacts" ADD CONSTRAINT "trusted_contacts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sign_in_tickets" ADD CONSTRAINT "sign_in_tickets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "totp_secrets" ADD CONSTRAINT "totp_secrets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "strikes" ADD CONSTRAINT "strikes_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "strikes" ADD CONSTRAINT "strikes_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "canned_answers" ADD CONSTRAINT "canned_answers_writer_id_users_id_fk" FOREIGN KEY ("writer_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_messages" ADD CONSTRAINT "ticket_messages_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_messages" ADD CONSTRAINT "ticket_messages_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_messages" ADD CONSTRAINT "ticket_messages_to_id_users_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_feedback_id_feedback_id_fk" FOREIGN KEY ("feedback_id") REFERENCES "public"."feedback"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_report_id_person_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."person_reports"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contact_attempts" ADD CONSTRAINT "contact_attempts_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contact_attempts" ADD CONSTRAINT "contact_attempts_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "driver_reports" ADD CONSTRAINT "driver_reports_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "driver_reports" ADD CONSTRAINT "driver_reports_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "driver_reports" ADD CONSTRAINT "driver_reports_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "driver_reports" ADD CONSTRAINT "driver_reports_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "rebooking_emails" ADD CONSTRAINT "rebooking_emails_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ride_positions" ADD CONSTRAINT "ride_positions_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ride_positions" ADD CONSTRAINT "ride_positions_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ride_questions" ADD CONSTRAINT "ride_questions_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ride_questions" ADD CONSTRAINT "ride_questions_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ride_questions" ADD CONSTRAINT "ride_questions_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ride_questions" ADD CONSTRAINT "ride_questions_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "rider_positions" ADD CONSTRAINT "rider_positions_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "rider_positions" ADD CONSTRAINT "rider_positions_ride_id_rides_id_fk" FOREIGN KEY ("ride_id") REFERENCES "public"."rides"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "rider_positions" ADD CONSTRAINT "rider_positions_passenger_id_users_id_fk" FOREIGN KEY ("passenger_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_front_id_pictures_id_fk" FOREIGN KEY ("front_id") REFERENCES "public"."pictures"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_back_id_pictures_id_fk" FOREIGN KEY ("back_id") REFERENCES "public"."pictures"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "vehicles" ADD CONSTRAINT "vehicles_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "alert_hits_ride" ON "alert_hits" USING btree ("alert_id","ride_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "alert_hits_request" ON "alert_hits" USING btree ("alert_id","request_id");
--> statement-breakpoint
CREATE INDEX "alert_hits_standing" ON "alert_hits" USING btree ("alert_id","id") WHERE gone_at is null;
--> statement-breakpoint
CREATE INDEX "alert_hits_of_ride" ON "alert_hits" USING btree ("ride_id");
--> statement-breakpoint
CREATE INDEX "alert_hits_of_request" ON "alert_hits" USING btree ("request_id");
--> statement-breakpoint
CREATE INDEX "alert_hits_unlettered" ON "alert_hits" USING btree ("alert_id") WHERE emailed_at is null and read_at is null;
--> statement-breakpoint
CREATE INDEX "alert_windows_in_time" ON "alert_windows" USING gist (tstzrange(earliest_at, latest_at, '[]'),"reach");
--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_owner_sameness" ON "alerts" USING btree ("owner_id","sameness");
--> statement-breakpoint
CREATE INDEX "alerts_end" ON "alerts" USING btree ("ends_at");
--> statement-breakpoint
CREATE INDEX "alerts_due" ON "alerts" USING btree ("next_at") WHERE next_at is not null;
--> statement-breakpoint
CREATE INDEX "announcements_until" ON "announcements" USING btree ("until_at");
--> statement-breakpoint
CREATE INDEX "announcements_created" ON "announcements" USING btree ("created_at","id");
--> statement-breakpoint
CREATE INDEX "announcements_author" ON "announcements" USING btree ("author_id");
--> statement-breakpoint
CREATE INDEX "admin_actions_at" ON "admin_actions" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "admin_actions_admin" ON "admin_actions" USING btree ("admin_id");
--> statement-breakpoint
CREATE INDEX "admin_actions_person" ON "admin_actions" USING btree ("person_id");
--> statement-breakpoint
CREATE INDEX "admin_reading_people_person" ON "admin_reading_people" USING btree ("person_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "admin_readings_once" ON "admin_readings" USING btree ("admin_id","list","hour_at");
--> statement-breakpoint
CREATE INDEX "admin_readings_last" ON "admin_readings" USING btree ("last_at");
--> statement-breakpoint
CREATE INDEX "security_counts_hour" ON "security_counts" USING btree ("hour_at");
--> statement-breakpoint
CREATE INDEX "chat_members_latest" ON "chat_members" USING btree ("user_id","joined_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "chat_messages_room_client" ON "chat_messages" USING btree ("room_id","client_id");
--> statement-breakpoint
CREATE INDEX "chat_messages_picture" ON "chat_messages" USING btree ("picture_id") WHERE picture_id is not null;
--> statement-breakpoint
CREATE INDEX "chat_messages_at" ON "chat_messages" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "chat_rooms_ride" ON "chat_rooms" USING btree ("ride_id");
--> statement-breakpoint
CREATE INDEX "commutes_person" ON "commutes" USING btree ("person_id");
--> statement-breakpoint
CREATE INDEX "commutes_recurring" ON "commutes" USING btree ("recurring_id");
--> statement-breakpoint
CREATE INDEX "commutes_counted" ON "commutes" USING btree ("from_area","to_area","part","person_id") WHERE is_counted;
--> statement-breakpoint
CREATE INDEX "commutes_regular_in_time" ON "commutes" USING btree ("from_area","to_area","minute") WHERE is_regular;
--> statement-breakpoint
CREATE INDEX "commutes_corridor" ON "commutes" USING gin ("corridor") WHERE is_regular;
--> statement-breakpoint
CREATE INDEX "commutes_due_at" ON "commutes_due" USING btree ("due_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("key_hash");
--> statement-breakpoint
CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "api_keys_created" ON "api_keys" USING btree ("created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "directory_groups_name" ON "directory_groups" USING btree (lower("display_name"));
--> statement-breakpoint
CREATE INDEX "directory_groups_created" ON "directory_groups" USING btree ("created_at","id");
--> statement-breakpoint
CREATE INDEX "directory_members_user" ON "directory_members" USING btree ("user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "directory_users_name" ON "directory_users" USING btree (lower("user_name"));
--> statement-breakpoint
CREATE INDEX "directory_users_external" ON "directory_users" USING btree ("external_id");
--> statement-breakpoint
CREATE INDEX "directory_users_created" ON "directory_users" USING btree ("created_at","user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "group_roles_name" ON "group_roles" USING btree (lower("group_name"));
--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_once" ON "webhook_deliveries" USING btree ("webhook_id","source");
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("webhook_id","next_at") WHERE state = 'waiting';
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_hand" ON "webhook_deliveries" USING btree ("webhook_id","next_at") WHERE state = 'waiting' and (event = 'test' or (tries = 0 and tried_at is not null));
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_log" ON "webhook_deliveries" USING btree ("webhook_id","created_at");
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "blocks_blocked" ON "blocks" USING btree ("blocked_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "contact_applications_pending" ON "contact_applications" USING btree (least("from_id", "to_id"),greatest("from_id", "to_id")) WHERE status = 'pending';
--> statement-breakpoint
CREATE INDEX "contact_applications_from" ON "contact_applications" USING btree ("from_id");
--> statement-breakpoint
CREATE INDEX "contact_applications_to" ON "contact_applications" USING btree ("to_id");
--> statement-breakpoint
CREATE INDEX "contacts_other" ON "contacts" USING btree ("other_id");
--> statement-breakpoint
CREATE INDEX "person_reports_subject" ON "person_reports" USING btree ("subject_id");
--> statement-breakpoint
CREATE INDEX "person_reports_created" ON "person_reports" USING btree ("created_at","id");
--> statement-breakpoint
CREATE INDEX "person_reports_open" ON "person_reports" USING btree ("created_at") WHERE handled_at is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "person_reports_review" ON "person_reports" USING btree ("reporter_id","review_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "person_reports_line" ON "person_reports" USING btree ("reporter_id","room_id","message_seq");
--> statement-breakpoint
CREATE INDEX "reported_messages_sender" ON "reported_messages" USING btree ("sender_id");
--> statement-breakpoint
CREATE INDEX "reported_messages_picture" ON "reported_messages" USING btree ("picture_id") WHERE picture_id is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "tags_owner_name" ON "tags" USING btree ("owner_id",lower("name"));
--> statement-breakpoint
CREATE UNIQUE INDEX "event_places_pair" ON "event_places" USING btree ("ride_id","request_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "event_places_open_request" ON "event_places" USING btree ("request_id") WHERE state in ('open', 'taken');
--> statement-breakpoint
CREATE INDEX "event_places_event" ON "event_places" USING btree ("event_id");
--> statement-breakpoint
CREATE INDEX "event_places_driver" ON "event_places" USING btree ("driver_id");
--> statement-breakpoint
CREATE INDEX "event_places_passenger" ON "event_places" USING btree ("passenger_id");
--> statement-breakpoint
CREATE INDEX "events_ends" ON "events" USING btree ("ends_at");
--> statement-breakpoint
CREATE INDEX "events_organiser" ON "events" USING btree ("organizer_id");
--> statement-breakpoint
CREATE INDEX "events_picture" ON "events" USING btree ("picture_id") WHERE picture_id is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "data_exports_user" ON "data_exports" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "data_exports_due" ON "data_exports" USING btree ("next_at") WHERE state = 'preparing';
--> statement-breakpoint
CREATE INDEX "data_exports_asked" ON "data_exports" USING btree ("asked_at");
--> statement-breakpoint
CREATE INDEX "data_exports_left" ON "data_exports" USING btree ("id") WHERE user_id is null;
--> statement-breakpoint
CREATE INDEX "feedback_created" ON "feedback" USING btree ("created_at","id");
--> statement-breakpoint
CREATE INDEX "feedback_open" ON "feedback" USING btree ("created_at") WHERE read_at is null;
--> statement-breakpoint
CREATE INDEX "feedback_author" ON "feedback" USING btree ("author_id");
--> statement-breakpoint
CREATE INDEX "places_name_vector" ON "places" USING gin ("name_vector");
--> statement-breakpoint
CREATE INDEX "places_named_vector" ON "places" USING gin ("name_vector") WITH (fastupdate=false) WHERE kind <> 'address';
--> statement-breakpoint
CREATE INDEX "places_words_trgm" ON "places" USING gin (words gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "places_lon_lat" ON "places" USING btree ("lon","lat");
--> statement-breakpoint
CREATE INDEX "places_pack" ON "places" USING btree ("pack");
--> statement-breakpoint
CREATE INDEX "shortcuts_owner" ON "shortcuts" USING btree ("owner_id");
--> statement-breakpoint
CREATE INDEX "shortcuts_told" ON "shortcuts" USING gist (point(at_lon, at_lat)) WHERE shown_within_metres is not null;
--> statement-breakpoint
CREATE INDEX "consents_user" ON "consents" USING btree ("user_id","document","at");
--> statement-breakpoint
CREATE UNIQUE INDEX "devices_user_agent" ON "devices" USING btree ("user_id","user_agent","screen");
--> statement-breakpoint
CREATE UNIQUE INDEX "email_codes_email_purpose" ON "email_codes" USING btree ("email","purpose");
--> statement-breakpoint
CREATE INDEX "email_codes_expires" ON "email_codes" USING btree ("expires_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_attempts_nonce" ON "oauth_attempts" USING btree ("nonce");
--> statement-breakpoint
CREATE INDEX "oauth_attempts_expires" ON "oauth_attempts" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "federated_identities_user" ON "federated_identities" USING btree ("user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_access" ON "sessions" USING btree ("access_hash");
--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_refresh" ON "sessions" USING btree ("refresh_hash");
--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "sessions_family" ON "sessions" USING btree ("family");
--> statement-breakpoint
CREATE INDEX "sessions_refresh_expires" ON "sessions" USING btree ("refresh_expires_at");
--> statement-breakpoint
CREATE INDEX "signups_email" ON "signups" USING btree ("email","created_at");
--> statement-breakpoint
CREATE INDEX "signups_created" ON "signups" USING btree ("created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");
--> statement-breakpoint
CREATE UNIQUE INDEX "users_phone" ON "users" USING btree ("phone") WHERE phone <> '';
--> statement-breakpoint
CREATE INDEX "users_deletion_due" ON "users" USING btree ("deletion_due_at") WHERE deletion_due_at is not null;
--> statement-breakpoint
CREATE INDEX "users_created" ON "users" USING btree ("created_at","id");
--> statement-breakpoint
CREATE INDEX "users_deleted" ON "users" USING btree ("deleted_at") WHERE deleted_at is not null;
--> statement-breakpoint
CREATE INDEX "users_suspended" ON "users" USING btree ("created_at") WHERE suspended_at is not null;
--> statement-breakpoint
CREATE INDEX "users_staff" ON "users" USING btree ("created_at") WHERE staff_role is not null;
--> statement-breakpoint
CREATE INDEX "users_text_trgm" ON "users" USING gin (lower(name || E'\n' || first_name || ' ' || last_name || E'\n' || email || E'\n' || phone) gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "users_findable_group" ON "users" USING btree ((get_byte(sha256(decode(replace(phone, '\', ''), 'escape')), 0) * 256 + get_byte(sha256(decode(replace(phone, '\', ''), 'escape')), 1)),"phone","id") WHERE found_by_phone and phone_verified_at is not null and phone <> '' and profile_completed_at is not null and suspended_at is null and deleted_at is null and deletion_due_at is null;
--> statement-breakpoint
CREATE INDEX "users_known" ON "users" USING btree ("id","name") WHERE found_by_name and profile_completed_at is not null and suspended_at is null and deleted_at is null and deletion_due_at is null;
--> statement-breakpoint
CREATE INDEX "users_name" ON "users" USING btree (lower(name) collate "C","id");
--> statement-breakpoint
CREATE INDEX "users_name_trgm" ON "users" USING gin (lower(name) gin_trgm_ops);
--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_once" ON "notifications" USING btree ("source","user_id");
--> statement-breakpoint
CREATE INDEX "notifications_of_person" ON "notifications" USING btree ("user_id","at");
--> statement-breakpoint
CREATE INDEX "notifications_other" ON "notifications" USING btree ("other_id");
--> statement-breakpoint
CREATE INDEX "notifications_at" ON "notifications" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "notifications_unread_messages" ON "notifications" USING btree ("at","id") WHERE kind = 'chat' and read_at is null;
--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("user_id","path") WHERE read_at is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "notification_deliveries_once" ON "notification_deliveries" USING btree ("notification_id","channel");
--> statement-breakpoint
CREATE INDEX "notification_deliveries_user" ON "notification_deliveries" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "notification_deliveries_due" ON "notification_deliveries" USING btree ("due_at") WHERE sent_at is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "push_devices_endpoint" ON "push_devices" USING btree ("endpoint");
--> statement-breakpoint
CREATE INDEX "push_devices_user" ON "push_devices" USING btree ("user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "authorizations_current" ON "authorizations" USING btree ("booking_id") WHERE is_current;
--> statement-breakpoint
CREATE INDEX "authorizations_passenger" ON "authorizations" USING btree ("passenger_id","created_at");
--> statement-breakpoint
CREATE INDEX "authorizations_driver" ON "authorizations" USING btree ("driver_id","created_at");
--> statement-breakpoint
CREATE INDEX "authorizations_earned" ON "authorizations" USING btree ("driver_id","settled_at","id") WHERE is_current and goal = 'capture';
--> statement-breakpoint
CREATE INDEX "authorizations_due" ON "authorizations" USING btree ("next_at") WHERE next_at is not null;
--> statement-breakpoint
CREATE INDEX "authorizations_due_present" ON "authorizations" USING btree ("next_at") WHERE next_at is not null and is_present;
--> statement-breakpoint
CREATE INDEX "authorizations_refused" ON "authorizations" USING btree ("driver_id") WHERE is_current and goal <> 'cancel' and state = 'requires_payment_method';
--> statement-breakpoint
CREATE INDEX "authorizations_updated" ON "authorizations" USING btree ("updated_at");
--> statement-breakpoint
CREATE INDEX "authorizations_open" ON "authorizations" USING btree ("next_at","id") WHERE state not in ('succeeded', 'canceled') or next_at is not null;
--> statement-breakpoint
CREATE INDEX "authorizations_to_compare" ON "authorizations" USING btree ("id") WHERE payment_id is not null and (compared_version is distinct from facts_version or authorized_cents > 0);
--> statement-breakpoint
CREATE INDEX "cards_user" ON "cards" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "chargebacks_hold" ON "chargebacks" USING btree ("authorization_id");
--> statement-breakpoint
CREATE INDEX "chargebacks_due" ON "chargebacks" USING btree ("next_at") WHERE next_at is not null;
--> statement-breakpoint
CREATE INDEX "chargebacks_opened" ON "chargebacks" USING btree ("opened_at");
--> statement-breakpoint
CREATE INDEX "chargebacks_without_payment" ON "chargebacks" USING btree ("payment_id") WHERE authorization_id is null and payment_id is not null;
--> statement-breakpoint
CREATE INDEX "chargebacks_in_order" ON "chargebacks" USING btree ((state in ('needs_response', 'warning_needs_response')),"opened_at","id");
--> statement-breakpoint
CREATE INDEX "claims_passenger" ON "claims" USING btree ("passenger_id");
--> statement-breakpoint
CREATE INDEX "claims_driver" ON "claims" USING btree ("driver_id");
--> statement-breakpoint
CREATE INDEX "claims_booking" ON "claims" USING btree ("booking_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "claims_open_booking" ON "claims" USING btree ("booking_id") WHERE state in ('open', 'answered');
--> statement-breakpoint
CREATE INDEX "claims_in_order" ON "claims" USING btree ((state = 'resolved'),"opened_at");
--> statement-breakpoint
CREATE INDEX "claims_state" ON "claims" USING btree ("state","opened_at");
--> statement-breakpoint
CREATE INDEX "fraud_warnings_hold" ON "fraud_warnings" USING btree ("authorization_id");
--> statement-breakpoint
CREATE INDEX "fraud_warnings_at" ON "fraud_warnings" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "fraud_warnings_without_payment" ON "fraud_warnings" USING btree ("payment_id") WHERE authorization_id is null and payment_id is not null;
--> statement-breakpoint
CREATE INDEX "ledger_lines_entry" ON "ledger_lines" USING btree ("entry_id");
--> statement-breakpoint
CREATE INDEX "ledger_lines_hold" ON "ledger_lines" USING btree ("authorization_id");
--> statement-breakpoint
CREATE INDEX "ledger_lines_at" ON "ledger_lines" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "ledger_sums_provider" ON "ledger_sums" USING btree ("provider","id");
--> statement-breakpoint
CREATE INDEX "payers_customer" ON "payers" USING btree ("customer_id");
--> statement-breakpoint
CREATE INDEX "payment_accounts_checked" ON "payment_accounts" USING btree ("provider","checked_at");
--> statement-breakpoint
CREATE INDEX "payment_accounts_unready" ON "payment_accounts" USING btree ("provider","checked_at") WHERE state in ('started', 'restricted');
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_alarms_open" ON "payment_alarms" USING btree ("kind","about") WHERE ended_at is null;
--> statement-breakpoint
CREATE INDEX "payment_alarms_last" ON "payment_alarms" USING btree ("last_at");
--> statement-breakpoint
CREATE INDEX "provider_events_due" ON "provider_events" USING btree ("next_at","at") WHERE next_at is not null;
--> statement-breakpoint
CREATE INDEX "provider_events_processed" ON "provider_events" USING btree ("received_at") WHERE next_at is null;
--> statement-breakpoint
CREATE INDEX "provider_transactions_source" ON "provider_transactions" USING btree ("source_id");
--> statement-breakpoint
CREATE INDEX "provider_transactions_provider" ON "provider_transactions" USING btree ("provider","at");
--> statement-breakpoint
CREATE INDEX "reconciliations_at" ON "reconciliations" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "pictures_owner" ON "pictures" USING btree ("owner_id");
--> statement-breakpoint
CREATE INDEX "pictures_unused" ON "pictures" USING btree ("created_at") WHERE used_at is null;
--> statement-breakpoint
CREATE INDEX "tries_window" ON "tries" USING btree ("window_ends_at");
--> statement-breakpoint
CREATE INDEX "event_log_in_order" ON "event_log" USING btree ("seq","id");
--> statement-breakpoint
CREATE INDEX "idempotency_created" ON "idempotency" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "outages_until" ON "outages" USING btree ("until_at");
--> statement-breakpoint
CREATE INDEX "failed_deliveries_at" ON "failed_deliveries" USING btree ("at");
--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_booking_author" ON "reviews" USING btree ("booking_id","author_id");
--> statement-breakpoint
CREATE INDEX "reviews_subject" ON "reviews" USING btree ("subject_id","created_at");
--> statement-breakpoint
CREATE INDEX "reviews_due" ON "reviews" USING btree ("publish_at") WHERE published_at is null;
--> statement-breakpoint
CREATE INDEX "reviews_author" ON "reviews" USING btree ("author_id");
--> statement-breakpoint
CREATE INDEX "bookings_of_ride" ON "bookings" USING btree ("ride_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "bookings_of_ride_that_count" ON "bookings" USING btree ("ride_id") WHERE ended_at is null or state in ('finished', 'missed') or late_fee_cents > 0;
--> statement-breakpoint
CREATE INDEX "bookings_request" ON "bookings" USING btree ("request_id");
--> statement-breakpoint
CREATE INDEX "bookings_of_passenger" ON "bookings" USING btree ("passenger_id","ride_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "bookings_driver" ON "bookings" USING btree ("driver_id");
--> statement-breakpoint
CREATE INDEX "bookings_finished_of_driver" ON "bookings" USING btree ("driver_id","ended_at") WHERE state = 'finished';
--> statement-breakpoint
CREATE INDEX "bookings_finished_of_passenger" ON "bookings" USING btree ("passenger_id","ended_at") WHERE state = 'finished';
--> statement-breakpoint
CREATE INDEX "bookings_expiry" ON "bookings" USING btree ("expires_at") WHERE state in ('requesting', 'inviting', 'waiting for passenger acceptance');
--> statement-breakpoint
CREATE UNIQUE INDEX "bookings_open_pair" ON "bookings" USING btree ("ride_id","request_id") WHERE state not in ('cancel', 'rejected', 'expired', 'missed', 'finished');
--> statement-breakpoint
CREATE INDEX "bookings_remind" ON "bookings" USING btree ("remind_at") WHERE remind_at is not null;
--> statement-breakpoint
CREATE INDEX "bookings_soon" ON "bookings" USING btree ("pickup_at") WHERE state in ('joined', 'waiting');
--> statement-breakpoint
CREATE UNIQUE INDEX "bookings_one_seat_per_request" ON "bookings" USING btree ("request_id") WHERE state in ('joined', 'waiting', 'driver reached', 'picking', 'picked');
--> statement-breakpoint
CREATE INDEX "interrupted_bookings_ride" ON "interrupted_bookings" USING btree ("ride_id");
--> statement-breakpoint
CREATE INDEX "interrupted_rides_at" ON "interrupted_rides" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "interrupted_rides_driver" ON "interrupted_rides" USING btree ("driver_id","at");
--> statement-breakpoint
CREATE INDEX "change_answers_passenger" ON "change_answers" USING btree ("passenger_id");
--> statement-breakpoint
CREATE INDEX "change_proposals_due" ON "change_proposals" USING btree ("next_at") WHERE state = 'open';
--> statement-breakpoint
CREATE INDEX "change_proposals_ride" ON "change_proposals" USING btree ("ride_id");
--> statement-breakpoint
CREATE INDEX "change_proposals_driver" ON "change_proposals" USING btree ("driver_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "change_proposals_open" ON "change_proposals" USING btree ("ride_id") WHERE state = 'open';
--> statement-breakpoint
CREATE INDEX "move_history_ride" ON "move_history" USING btree ("ride_id");
--> statement-breakpoint
CREATE INDEX "move_history_request" ON "move_history" USING btree ("request_id");
--> statement-breakpoint
CREATE INDEX "move_history_at" ON "move_history" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "move_history_admin" ON "move_history" USING btree ("actor_id") WHERE actor = 'admin';
--> statement-breakpoint
CREATE INDEX "order_grants_person" ON "order_grants" USING btree ("person_id");
--> statement-breakpoint
CREATE INDEX "order_grants_link" ON "order_grants" USING btree ("link_id");
--> statement-breakpoint
CREATE INDEX "share_links_owner" ON "share_links" USING btree ("owner_id");
--> statement-breakpoint
CREATE INDEX "order_spans_person" ON "order_spans" USING btree ("person_id");
--> statement-breakpoint
CREATE INDEX "recurring_rides_owner" ON "recurring_rides" USING btree ("owner_id");
--> statement-breakpoint
CREATE INDEX "recurring_rides_pair" ON "recurring_rides" USING btree ("pair_id");
--> statement-breakpoint
CREATE INDEX "recurring_rides_due" ON "recurring_rides" USING btree ("due_at") WHERE state = 'running';
--> statement-breakpoint
CREATE INDEX "requests_passenger" ON "requests" USING btree ("passenger_id","earliest_at");
--> statement-breakpoint
CREATE INDEX "requests_open" ON "requests" USING btree ("earliest_at") WHERE state in ('matching', 'requesting', 'inviting');
--> statement-breakpoint
CREATE INDEX "requests_due" ON "requests" USING btree ("latest_at") WHERE state in ('matching', 'requesting', 'inviting');
--> statement-breakpoint
CREATE INDEX "requests_cells_times" ON "requests" USING btree ((floor(from_lon / 0.3)::int),(floor(from_lat / 0.3)::int),"earliest_at","latest_at") WHERE state in ('matching', 'requesting', 'inviting');
--> statement-breakpoint
CREATE INDEX "requests_of_passenger_open" ON "requests" USING btree ("passenger_id","earliest_at") WHERE state not in ('finished', 'missed', 'cancel', 'expired');
--> statement-breakpoint
CREATE INDEX "requests_event" ON "requests" USING btree ("event_id");
--> statement-breakpoint
CREATE INDEX "requests_pair" ON "requests" USING btree ("pair_id");
--> statement-breakpoint
CREATE INDEX "requests_series" ON "requests" USING btree ("recurring_id");
--> statement-breakpoint
CREATE INDEX "rides_due" ON "rides" USING btree ("next_at","latest_departs_at") WHERE next_at is not null;
--> statement-breakpoint
CREATE INDEX "rides_driver" ON "rides" USING btree ("driver_id","departs_at");
--> statement-breakpoint
CREATE INDEX "rides_joinable" ON "rides" USING btree ("departs_at") WHERE state in ('matching', 'waiting');
--> statement-breakpoint
CREATE INDEX "rides_cells" ON "rides" USING btree ((floor(from_lon / 0.3)::int),(floor(from_lat / 0.3)::int),"departs_at") WHERE state = 'matching';
--> statement-breakpoint
CREATE INDEX "rides_asked" ON "rides" USING btree ("drive_metres") WHERE state = 'matching' and cost_cents > 0;
--> statement-breakpoint
CREATE INDEX "rides_of_driver_open" ON "rides" USING btree ("driver_id","departs_at") WHERE state not in ('finished', 'cancel', 'expired');
--> statement-breakpoint
CREATE INDEX "rides_vehicle_open" ON "rides" USING btree ("vehicle_id") WHERE state not in ('finished', 'cancel', 'expired');
--> statement-breakpoint
CREATE INDEX "rides_event" ON "rides" USING btree ("event_id");
--> statement-breakpoint
CREATE INDEX "rides_pair" ON "rides" USING btree ("pair_id");
--> statement-breakpoint
CREATE INDEX "rides_series" ON "rides" USING btree ("recurring_id");
--> statement-breakpoint
CREATE INDEX "recurring_days_order" ON "recurring_days" USING btree ("order_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "waitlist_pair" ON "waitlist" USING btree ("ride_id","request_id");
--> statement-breakpoint
CREATE INDEX "waitlist_request" ON "waitlist" USING btree ("request_id");
--> statement-breakpoint
CREATE INDEX "waitlist_passenger" ON "waitlist" USING btree ("passenger_id");
--> statement-breakpoint
CREATE INDEX "alarms_person" ON "alarms" USING btree ("person_id");
--> statement-breakpoint
CREATE INDEX "trip_shares_ride" ON "trip_shares" USING btree ("ride_id","owner_id");
--> statement-breakpoint
CREATE INDEX "trip_shares_owner" ON "trip_shares" USING btree ("owner_id");
--> statement-breakpoint
CREATE INDEX "trip_shares_to" ON "trip_shares" USING btree ("to_id");
--> statement-breakpoint
CREATE INDEX "passkey_challenges_user" ON "passkey_challenges" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "passkey_challenges_expires" ON "passkey_challenges" USING btree ("expires_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credential_id");
--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "recovery_codes_user" ON "recovery_codes" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "sign_in_tickets_user" ON "sign_in_tickets" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "sign_in_tickets_expires" ON "sign_in_tickets" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "sign_ins_user" ON "sign_ins" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "sign_ins_used" ON "sign_ins" USING btree ("used_at");
--> statement-breakpoint
CREATE INDEX "daily_figures_name" ON "daily_figures" USING btree ("name");
--> statement-breakpoint
CREATE INDEX "strikes_driver" ON "strikes" USING btree ("driver_id","at");
--> statement-breakpoint
CREATE INDEX "canned_answers_writer" ON "canned_answers" USING btree ("writer_id");
--> statement-breakpoint
CREATE INDEX "ticket_messages_ticket" ON "ticket_messages" USING btree ("ticket_id","id");
--> statement-breakpoint
CREATE INDEX "ticket_messages_author" ON "ticket_messages" USING btree ("author_id");
--> statement-breakpoint
CREATE INDEX "ticket_messages_to" ON "ticket_messages" USING btree ("to_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_number" ON "tickets" USING btree ("number");
--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_feedback" ON "tickets" USING btree ("feedback_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_report" ON "tickets" USING btree ("report_id");
--> statement-breakpoint
CREATE INDEX "tickets_state" ON "tickets" USING btree ("state","updated_at","number");
--> statement-breakpoint
CREATE INDEX "tickets_updated" ON "tickets" USING btree ("updated_at","number");
--> statement-breakpoint
CREATE INDEX "tickets_author" ON "tickets" USING btree ("author_id","updated_at");
--> statement-breakpoint
CREATE INDEX "tickets_assignee" ON "tickets" USING btree ("assignee_id","updated_at");
--> statement-breakpoint
CREATE INDEX "contact_attempts_booking" ON "contact_attempts" USING btree ("booking_id");
--> statement-breakpoint
CREATE INDEX "contact_attempts_driver" ON "contact_attempts" USING btree ("driver_id");
--> statement-breakpoint
CREATE INDEX "driver_reports_driver" ON "driver_reports" USING btree ("driver_id");
--> statement-breakpoint
CREATE INDEX "driver_reports_passenger" ON "driver_reports" USING btree ("passenger_id");
--> statement-breakpoint
CREATE INDEX "driver_reports_open" ON "driver_reports" USING btree ("resolve_at") WHERE closed_at is null;
--> statement-breakpoint
CREATE INDEX "ride_questions_ride" ON "ride_questions" USING btree ("ride_id");
--> statement-breakpoint
CREATE INDEX "ride_questions_driver" ON "ride_questions" USING btree ("driver_id");
--> statement-breakpoint
CREATE INDEX "ride_questions_passenger" ON "ride_questions" USING btree ("passenger_id");
--> statement-breakpoint
CREATE INDEX "ride_questions_open" ON "ride_questions" USING btree ("answer_by") WHERE closed_at is null;
--> statement-breakpoint
CREATE INDEX "rider_positions_ride" ON "rider_positions" USING btree ("ride_id");
--> statement-breakpoint
CREATE INDEX "rider_positions_passenger" ON "rider_positions" USING btree ("passenger_id");
--> statement-breakpoint
CREATE INDEX "licenses_standing" ON "licenses" USING btree ("user_id","created_at","status");
--> statement-breakpoint
CREATE INDEX "licenses_decided" ON "licenses" USING btree ("decided_at") WHERE decided_at is not null;
--> statement-breakpoint
CREATE INDEX "licenses_front" ON "licenses" USING btree ("front_id");
--> statement-breakpoint
CREATE INDEX "licenses_back" ON "licenses" USING btree ("back_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "licenses_one_waiting" ON "licenses" USING btree ("user_id") WHERE status = 'Reviewing';
--> statement-breakpoint
CREATE INDEX "vehicles_owner" ON "vehicles" USING btree ("owner_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "vehicles_owner_plate" ON "vehicles" USING btree ("owner_id","plate") WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX "sandbox_deliveries_next" ON "sandbox_deliveries" USING btree ("next_at") WHERE next_at is not null;
--> statement-breakpoint
CREATE INDEX "sandbox_keys_created" ON "sandbox_keys" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "sandbox_objects_list" ON "sandbox_objects" USING btree ("kind","account","seq");
--> statement-breakpoint
CREATE INDEX "sandbox_objects_customer" ON "sandbox_objects" USING btree ("kind",(body ->> 'customer'));
--> statement-breakpoint
CREATE INDEX "sandbox_objects_payment" ON "sandbox_objects" USING btree ("kind",(body ->> 'payment_intent'));
--> statement-breakpoint
CREATE INDEX "sandbox_objects_charge" ON "sandbox_objects" USING btree ("kind",(body ->> 'charge'));
--> statement-breakpoint
CREATE INDEX "sandbox_objects_due" ON "sandbox_objects" USING btree ("due_at") WHERE due_at is not null;
--> statement-breakpoint
-- A picture's row can go in many ways, with its owner too; its file must not stay behind.
create function note_removed_file() returns trigger language plpgsql as $$
begin
  insert into removed_files (object_key) values (old.object_key) on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
-- Every process hears from here whose account or sessions have changed, and checks their open connections.
create function notify_person_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('person_changed', to_jsonb(case tg_op when 'DELETE' then old else new end) ->> tg_argv[0]);
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION ledger_entry_is_balanced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(cents) FROM ledger_lines WHERE entry_id = NEW.entry_id) <> 0 THEN
    RAISE EXCEPTION 'the ledger entry % does not sum to zero', NEW.entry_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE FUNCTION write_ride_next_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.next_at := ride_next_at(NEW.state, NEW.departs_at, NEW.latest_departs_at, NEW.arrives_at, NEW.unclear_at, '-infinity');
  RETURN NEW;
END $$;
--> statement-breakpoint
-- The ended states are constants, as the partial indexes of open orders have them: what a person has behind them
-- is not read.
CREATE FUNCTION take_order_slot(order_id uuid, person_id uuid, during tstzrange, most_open int, numbers text[])
  RETURNS jsonb LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
#variable_conflict use_column
declare
  taken text;
begin
  perform pg_advisory_xact_lock(hashtextextended('orders:' || take_order_slot.person_id, 0));
  if most_open is not null and most_open <= (
    select count(distinct thing) from (
      select coalesce(recurring_id, id) as thing from rides
        where driver_id = take_order_slot.person_id and state not in ('finished', 'cancel', 'expired')
      union all
      select coalesce(recurring_id, id) from requests
        where passenger_id = take_order_slot.person_id and state not in ('finished', 'missed', 'cancel', 'expired')
      union all
      select id from recurring_rides where owner_id = take_order_slot.person_id and state = 'running'
    ) open) then
    return '{"outcome": "tooMany"}';
  end if;
  insert into order_spans (order_id, person_id, during)
    values (take_order_slot.order_id, take_order_slot.person_id, take_order_slot.during) on conflict do nothing;
  if not found then
    return '{"outcome": "overlap"}';
  end if;
  foreach taken in array numbers loop
    insert into order_numbers (number) values (taken) on conflict do nothing;
    if found then
      return jsonb_build_object('outcome', 'taken', 'number', taken);
    end if;
  end loop;
  return '{"outcome": "noNumber"}';
end $$;
--> statement-breakpoint
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
END $$;
--> statement-breakpoint
-- PostgreSQL attaches no partition for a day while the default partition holds rows of that day: the function skips such
-- days.
CREATE FUNCTION make_event_log_day(ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  day date := current_date + ahead;
  name text := 'event_log_' || to_char(current_date + ahead, 'YYYYMMDD');
BEGIN
  IF ahead NOT BETWEEN 0 AND 31 THEN
    RAISE EXCEPTION 'The log has places for up to 31 days ahead.' USING ERRCODE = '22023';
  END IF;
  IF to_regclass(name) IS NOT NULL OR EXISTS (SELECT FROM event_log_default WHERE written_on = day) THEN
    RETURN;
  END IF;
  -- Those who write are not kept waiting for long.
  PERFORM set_config('lock_timeout', '500ms', true);
  EXECUTE format('CREATE TABLE %I (LIKE event_log INCLUDING DEFAULTS)', name);
  -- Attaching does not hold up those who write meanwhile, as making it in place would.
  EXECUTE format('ALTER TABLE event_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, day, day + 1);
END
$$;
--> statement-breakpoint
CREATE FUNCTION drop_event_log_days(kept_days integer, heard_to bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  name text;
  is_heard boolean;
BEGIN
  IF kept_days < 7 THEN
    RAISE EXCEPTION 'The log is kept for a week.' USING ERRCODE = '22023';
  END IF;
  PERFORM set_config('lock_timeout', '500ms', true);
  FOR name IN
    SELECT child.relname FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
    WHERE inhparent = 'event_log'::regclass AND child.relname ~ '^event_log_[0-9]{8}$'
      AND to_date(right(child.relname, 8), 'YYYYMMDD') < current_date - kept_days
    ORDER BY child.relname
  LOOP
    BEGIN
      EXECUTE format('SELECT NOT EXISTS (SELECT FROM %I WHERE seq IS NULL OR seq > $1)', name) INTO is_heard USING heard_to;
      IF is_heard THEN
        EXECUTE format('DROP TABLE %I', name);
      END IF;
    EXCEPTION WHEN lock_not_available OR undefined_table THEN
      -- Another day is not held up by this one, which the next round tries again.
    END;
  END LOOP;
END
$$;
--> statement-breakpoint
CREATE FUNCTION refresh_place_indexes() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM gin_clean_pending_list('places_name_vector'), gin_clean_pending_list('places_words_trgm');
  ANALYZE places;
END
$$;
--> statement-breakpoint
-- Each message to the operator and each report is a ticket.
CREATE FUNCTION open_ticket() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  source jsonb := to_jsonb(new);
BEGIN
  INSERT INTO tickets (id, kind, feedback_id, report_id, author_id, opened_at, updated_at)
  VALUES (
    new.id, tg_argv[0],
    CASE WHEN tg_argv[0] = 'feedback' THEN new.id END,
    CASE WHEN tg_argv[0] = 'report' THEN new.id END,
    (source ->> tg_argv[1])::uuid, new.created_at, new.created_at
  );
  RETURN null;
END
$$;
--> statement-breakpoint
-- What the calls about messages and reports alone answer or close is so in its ticket, too.
CREATE FUNCTION close_ticket_of_feedback() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF old.answered_at IS NULL AND new.answered_at IS NOT NULL THEN
    INSERT INTO ticket_messages (ticket_id, kind, to_id, text, at)
    VALUES (new.id, 'answer', new.author_id, new.answer, new.answered_at);
  END IF;
  IF old.read_at IS NULL AND new.read_at IS NOT NULL THEN
    UPDATE tickets SET state = 'closed', updated_at = new.read_at WHERE id = new.id AND state <> 'closed';
  END IF;
  RETURN null;
END
$$;
--> statement-breakpoint
CREATE FUNCTION close_ticket_of_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF old.handled_at IS NULL AND new.handled_at IS NOT NULL THEN
    UPDATE tickets SET state = 'closed', updated_at = new.handled_at WHERE id = new.id AND state <> 'closed';
    IF found AND new.outcome <> '' THEN
      INSERT INTO ticket_messages (ticket_id, kind, author_id, text, at)
      VALUES (new.id, 'note', (SELECT id FROM users WHERE id = new.handled_by_id), new.outcome, new.handled_at);
    END IF;
  END IF;
  RETURN null;
END
$$;
--> statement-breakpoint
-- The role of calls adds to the log of the team, and neither changes nor deletes it. When an account is emptied, this
-- trigger takes out whose it was and what was noted about it, as the owner.
CREATE FUNCTION forget_in_admin_actions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE admin_actions SET admin_id = NULL WHERE admin_id = NEW.id;
  UPDATE admin_actions SET person_id = NULL, note = '' WHERE person_id = NEW.id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- A place that is added and settings that are saved at the same time wait for each other by the person's row; places
-- that change are locked themselves.
create function note_shown_place() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform from users where id = new.owner_id for no key update;
  end if;
  new.shown_within_metres := (
    select shown_within_metres(n.choices, new.label) from notification_settings n where n.user_id = new.owner_id);
  return new;
end $$;
--> statement-breakpoint
create function note_shown_places() returns trigger language plpgsql as $$
begin
  perform from users where id = new.user_id for no key update;
  update shortcuts s set shown_within_metres = shown_within_metres(new.choices, s.label)
  where s.owner_id = new.user_id
    and s.shown_within_metres is distinct from shown_within_metres(new.choices, s.label);
  return null;
end $$;
--> statement-breakpoint
create function draw_meeting_points_version() returns trigger language plpgsql as $$
begin
  new.meeting_points_version := nextval('meeting_points_versions');
  return new;
end $$;
--> statement-breakpoint
-- Locks rides with their requests and reads what decides about them.
create function lock_and_read_orders(wanted uuid[], beside uuid[], out orders json, out people uuid[])
  language plpgsql as $$
declare
  ride_ids uuid[];
  request_ids uuid[];
  on_route uuid[];
begin
  ride_ids := array(select id from rides where id = any(wanted) order by id for no key update);
  if ride_ids = '{}' and beside = '{}' then
    return;
  end if;
  on_route := array(select booking_id from ride_stops where ride_id = any(ride_ids) and booking_id is not null);
  request_ids := array(
    select id from requests where id = any(array(
      select request_id from bookings where ride_id = any(ride_ids)
        and (ended_at is null or state in ('finished', 'missed') or late_fee_cents > 0)
      union select request_id from bookings where id = any(on_route)
      union select request_id from waitlist where ride_id = any(ride_ids)
      union select unnest(beside)
    )) order by id for no key update
  );
  people := array(select driver_id from rides where id = any(ride_ids)
    union select passenger_id from requests where id = any(request_ids));
  orders := json_build_object(
    'rides', (select coalesce(json_agg(r), '[]') from rides r where r.id = any(ride_ids)),
    'requests', (select coalesce(json_agg(q), '[]') from requests q where q.id = any(request_ids)),
    'bookings', (
      select coalesce(json_agg(b), '[]')
      from bookings b
      where b.request_id = any(request_ids) and (b.ended_at is null or b.joined_at is not null or b.fault is not null
        or (b.ride_id = any(ride_ids) and (b.id = any(on_route) or (
          select count(*) from bookings later
          where later.request_id = b.request_id and (later.created_at, later.id) > (b.created_at, b.id)) < 5)))),
    'stops', (select coalesce(json_agg(s order by s.ride_id, s.position), '[]') from ride_stops s where s.ride_id = any(ride_ids)),
    'waiting', (select coalesce(json_agg(w), '[]') from waitlist w
      where w.ride_id = any(ride_ids) or w.request_id = any(request_ids)),
    'spans', (select coalesce(json_agg(json_build_object('orderId', s.order_id, 'personId', s.person_id,
        'from', lower(s.during), 'until', upper(s.during))), '[]') from order_spans s
      where s.person_id = any(people)),
    'changing', (select coalesce(json_agg(json_build_object('rideId', c.ride_id, 'isAnotherWay', c.way is not null)), '[]')
      from change_proposals c where c.ride_id = any(ride_ids) and c.state = 'open'));
end $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_lines_balanced AFTER INSERT ON "ledger_lines"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_entry_is_balanced();
--> statement-breakpoint
create trigger pictures_removed after delete on pictures for each row execute function note_removed_file();
--> statement-breakpoint
create trigger users_changed after update or delete on users for each row execute function notify_person_changed('id');
--> statement-breakpoint
create trigger sessions_changed after update or delete on sessions for each row execute function notify_person_changed('user_id');
--> statement-breakpoint
CREATE TRIGGER ledger_lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_lines"
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER rides_next_at BEFORE INSERT OR UPDATE OF state, departs_at, latest_departs_at, arrives_at, unclear_at ON rides
FOR EACH ROW EXECUTE FUNCTION write_ride_next_at();
--> statement-breakpoint
CREATE TRIGGER bookings_remind_at BEFORE INSERT OR UPDATE OF state, joined_at, pickup_at ON bookings
FOR EACH ROW EXECUTE FUNCTION write_booking_remind_at();
--> statement-breakpoint
CREATE TRIGGER feedback_ticket AFTER INSERT ON feedback FOR EACH ROW EXECUTE FUNCTION open_ticket('feedback', 'author_id');
--> statement-breakpoint
CREATE TRIGGER person_reports_ticket AFTER INSERT ON person_reports FOR EACH ROW EXECUTE FUNCTION open_ticket('report', 'reporter_id');
--> statement-breakpoint
CREATE TRIGGER feedback_handled AFTER UPDATE OF read_at, answered_at ON feedback FOR EACH ROW EXECUTE FUNCTION close_ticket_of_feedback();
--> statement-breakpoint
CREATE TRIGGER person_reports_handled AFTER UPDATE OF handled_at ON person_reports FOR EACH ROW EXECUTE FUNCTION close_ticket_of_report();
--> statement-breakpoint
CREATE TRIGGER "forget_in_admin_actions" AFTER UPDATE OF "deleted_at" ON "users"
FOR EACH ROW WHEN (OLD."deleted_at" IS NULL AND NEW."deleted_at" IS NOT NULL)
EXECUTE FUNCTION forget_in_admin_actions();
--> statement-breakpoint
create trigger shortcuts_note_told before insert or update of label on shortcuts
  for each row execute function note_shown_place();
--> statement-breakpoint
create trigger notification_settings_note_told after insert or update of choices on notification_settings
  for each row execute function note_shown_places();
--> statement-breakpoint
create trigger requests_spots_changed before update of pickup_meeting_points, dropoff_meeting_points on requests
  for each row execute function draw_meeting_points_version();
--> statement-breakpoint
REVOKE ALL ON FUNCTION make_event_log_day(integer), drop_event_log_days(integer, bigint), refresh_place_indexes() FROM PUBLIC;
--> statement-breakpoint
REVOKE ALL ON FUNCTION forget_in_admin_actions() FROM PUBLIC;
