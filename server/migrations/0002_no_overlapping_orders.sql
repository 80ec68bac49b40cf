ALTER TABLE "order_spans" ADD CONSTRAINT "order_spans_no_overlap" EXCLUDE USING gist ("person_id" WITH =, "during" WITH &&);
