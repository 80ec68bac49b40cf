-- Chat and notices are writers now, with one cursor: it begins where the slower of the two has come. What the other had written already is written once.
INSERT INTO "event_cursors" ("consumer", "txid")
SELECT 'writers', "txid" FROM "event_cursors" WHERE "consumer" IN ('chat', 'notices') ORDER BY "txid" LIMIT 1
ON CONFLICT DO NOTHING;
--> statement-breakpoint
DELETE FROM "event_cursors" WHERE "consumer" IN ('chat', 'notices');
