CREATE TABLE "reported_lines" (
	"report_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"is_reported" boolean NOT NULL,
	"sender_id" uuid,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"picture_id" uuid,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reported_lines_report_id_seq_pk" PRIMARY KEY("report_id","seq")
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
ALTER TABLE "person_reports" ADD COLUMN "room_id" uuid;--> statement-breakpoint
ALTER TABLE "person_reports" ADD COLUMN "line_seq" integer;--> statement-breakpoint
ALTER TABLE "reported_lines" ADD CONSTRAINT "reported_lines_report_id_person_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."person_reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reported_lines" ADD CONSTRAINT "reported_lines_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reported_lines" ADD CONSTRAINT "reported_lines_picture_id_pictures_id_fk" FOREIGN KEY ("picture_id") REFERENCES "public"."pictures"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "canned_answers" ADD CONSTRAINT "canned_answers_writer_id_users_id_fk" FOREIGN KEY ("writer_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_messages" ADD CONSTRAINT "ticket_messages_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_messages" ADD CONSTRAINT "ticket_messages_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_messages" ADD CONSTRAINT "ticket_messages_to_id_users_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_feedback_id_feedback_id_fk" FOREIGN KEY ("feedback_id") REFERENCES "public"."feedback"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_report_id_person_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."person_reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reported_lines_sender" ON "reported_lines" USING btree ("sender_id");--> statement-breakpoint
CREATE INDEX "reported_lines_picture" ON "reported_lines" USING btree ("picture_id") WHERE picture_id is not null;--> statement-breakpoint
CREATE INDEX "canned_answers_writer" ON "canned_answers" USING btree ("writer_id");--> statement-breakpoint
CREATE INDEX "ticket_messages_ticket" ON "ticket_messages" USING btree ("ticket_id","id");--> statement-breakpoint
CREATE INDEX "ticket_messages_author" ON "ticket_messages" USING btree ("author_id");--> statement-breakpoint
CREATE INDEX "ticket_messages_to" ON "ticket_messages" USING btree ("to_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_number" ON "tickets" USING btree ("number");--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_feedback" ON "tickets" USING btree ("feedback_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_report" ON "tickets" USING btree ("report_id");--> statement-breakpoint
CREATE INDEX "tickets_state" ON "tickets" USING btree ("state","updated_at","number");--> statement-breakpoint
CREATE INDEX "tickets_updated" ON "tickets" USING btree ("updated_at","number");--> statement-breakpoint
CREATE INDEX "tickets_author" ON "tickets" USING btree ("author_id","updated_at");--> statement-breakpoint
CREATE INDEX "tickets_assignee" ON "tickets" USING btree ("assignee_id","updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "person_reports_line" ON "person_reports" USING btree ("reporter_id","room_id","line_seq");--> statement-breakpoint
-- Each message to the operator and each report is a ticket, also where a process of the former release writes it.
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
-- What is answered or dealt with by the calls of before tickets is so in its ticket, too.
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
CREATE TRIGGER feedback_ticket AFTER INSERT ON feedback FOR EACH ROW EXECUTE FUNCTION open_ticket('feedback', 'author_id');
--> statement-breakpoint
CREATE TRIGGER person_reports_ticket AFTER INSERT ON person_reports FOR EACH ROW EXECUTE FUNCTION open_ticket('report', 'reporter_id');
--> statement-breakpoint
CREATE TRIGGER feedback_handled AFTER UPDATE OF read_at, answered_at ON feedback FOR EACH ROW EXECUTE FUNCTION close_ticket_of_feedback();
--> statement-breakpoint
CREATE TRIGGER person_reports_handled AFTER UPDATE OF handled_at ON person_reports FOR EACH ROW EXECUTE FUNCTION close_ticket_of_report();
--> statement-breakpoint
-- Those that are there already, numbered in the order in which they were written.
INSERT INTO tickets (id, kind, feedback_id, report_id, author_id, state, opened_at, updated_at)
SELECT id, kind, feedback_id, report_id, author_id, CASE WHEN ended_at IS NULL THEN 'open' ELSE 'closed' END,
  created_at, greatest(created_at, ended_at)
FROM (
  SELECT id, 'feedback' AS kind, id AS feedback_id, null::uuid AS report_id, author_id, created_at,
    coalesce(answered_at, read_at) AS ended_at FROM feedback
  UNION ALL
  SELECT id, 'report', null, id, reporter_id, created_at, handled_at FROM person_reports
) AS source ORDER BY created_at, id;
--> statement-breakpoint
INSERT INTO ticket_messages (ticket_id, kind, author_id, to_id, text, at)
SELECT ticket_id, kind, author_id, to_id, text, at FROM (
  SELECT id AS ticket_id, 'answer' AS kind, null::uuid AS author_id, author_id AS to_id, answer AS text, answered_at AS at
  FROM feedback WHERE answered_at IS NOT NULL
  UNION ALL
  SELECT id, 'note', (SELECT users.id FROM users WHERE users.id = handled_by_id), null, outcome, handled_at
  FROM person_reports WHERE handled_at IS NOT NULL AND outcome <> ''
) AS earlier ORDER BY at, ticket_id;
