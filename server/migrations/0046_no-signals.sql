-- What an earlier release has not delivered is heard from the log, or by the one listener that failed before.
DO $$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NULL THEN RETURN; END IF;
  INSERT INTO event_log (items)
  SELECT jsonb_build_array(jsonb_build_object('name', signal.name, 'key', coalesce(job.payload ->> 'queue', ''),
    'at', signal.at, 'payload', signal.payload))
  FROM graphile_worker._private_jobs AS job
  JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id AND task.identifier = 'deliver'
  JOIN signals AS signal ON signal.id = (job.payload ->> 'signalId')::bigint
  WHERE job.payload ->> 'listener' IS NULL
  ORDER BY signal.id;
  UPDATE graphile_worker._private_jobs AS job
  SET job_queue_id = NULL, payload = json_build_object(
    'listener', left(job.payload ->> 'listener', -length(signal.name) - 1),
    'signal', jsonb_build_object('id', signal.id, 'name', signal.name, 'key', coalesce(job.payload ->> 'queue', ''),
      'at', signal.at, 'payload', signal.payload))
  FROM graphile_worker._private_tasks AS task, signals AS signal
  WHERE task.id = job.task_id AND task.identifier = 'deliver' AND job.payload ->> 'listener' IS NOT NULL
    AND signal.id = (job.payload ->> 'signalId')::bigint;
  DELETE FROM graphile_worker._private_jobs AS job USING graphile_worker._private_tasks AS task
  WHERE task.id = job.task_id AND task.identifier = 'deliver' AND job.payload -> 'signal' IS NULL;
END $$;
--> statement-breakpoint
INSERT INTO event_log (items)
SELECT jsonb_build_array(jsonb_build_object('name', signal.name, 'key', coalesce(failed.payload ->> 'queue', ''),
  'at', signal.at, 'payload', signal.payload))
FROM undelivered AS failed JOIN signals AS signal ON signal.id = (failed.payload ->> 'signalId')::bigint
WHERE failed.task = 'deliver' AND failed.payload ->> 'listener' IS NULL
ORDER BY signal.id;
--> statement-breakpoint
UPDATE undelivered AS failed
SET payload = jsonb_build_object('listener', left(failed.payload ->> 'listener', -length(signal.name) - 1),
  'signal', jsonb_build_object('id', signal.id, 'name', signal.name, 'key', coalesce(failed.payload ->> 'queue', ''),
    'at', signal.at, 'payload', signal.payload))
FROM signals AS signal
WHERE failed.task = 'deliver' AND failed.payload ->> 'listener' IS NOT NULL AND signal.id = (failed.payload ->> 'signalId')::bigint;
--> statement-breakpoint
DELETE FROM undelivered WHERE task = 'deliver' AND payload -> 'signal' IS NULL;
--> statement-breakpoint
DROP TABLE "signals";
