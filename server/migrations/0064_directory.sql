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
ALTER TABLE "directory_members" ADD CONSTRAINT "directory_members_group_id_directory_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."directory_groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_members" ADD CONSTRAINT "directory_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_roles" ADD CONSTRAINT "directory_roles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_users" ADD CONSTRAINT "directory_users_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_groups" ADD CONSTRAINT "sign_in_groups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "directory_groups_name" ON "directory_groups" USING btree (lower("display_name"));--> statement-breakpoint
CREATE INDEX "directory_groups_created" ON "directory_groups" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "directory_members_user" ON "directory_members" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "directory_users_name" ON "directory_users" USING btree (lower("user_name"));--> statement-breakpoint
CREATE INDEX "directory_users_external" ON "directory_users" USING btree ("external_id");--> statement-breakpoint
CREATE INDEX "directory_users_created" ON "directory_users" USING btree ("created_at","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "group_roles_name" ON "group_roles" USING btree (lower("group_name"));