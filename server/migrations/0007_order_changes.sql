-- Lines in order_changes are only ever added: two transactions never wait for each other over them.
CREATE FUNCTION note_changed_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_changes (order_id) SELECT id FROM changed;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION note_changed_rides() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_changes (order_id) SELECT DISTINCT ride_id FROM changed;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER rides_inserted AFTER INSERT ON rides REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_orders();
--> statement-breakpoint
CREATE TRIGGER rides_updated AFTER UPDATE ON rides REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_orders();
--> statement-breakpoint
CREATE TRIGGER rides_deleted AFTER DELETE ON rides REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_orders();
--> statement-breakpoint
CREATE TRIGGER requests_inserted AFTER INSERT ON requests REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_orders();
--> statement-breakpoint
CREATE TRIGGER requests_updated AFTER UPDATE ON requests REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_orders();
--> statement-breakpoint
CREATE TRIGGER requests_deleted AFTER DELETE ON requests REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_orders();
--> statement-breakpoint
CREATE TRIGGER ride_stops_inserted AFTER INSERT ON ride_stops REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_rides();
--> statement-breakpoint
CREATE TRIGGER ride_stops_updated AFTER UPDATE ON ride_stops REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_rides();
--> statement-breakpoint
CREATE TRIGGER ride_stops_deleted AFTER DELETE ON ride_stops REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_rides();
--> statement-breakpoint
CREATE TRIGGER bookings_inserted AFTER INSERT ON bookings REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_rides();
--> statement-breakpoint
CREATE TRIGGER bookings_updated AFTER UPDATE ON bookings REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_rides();
--> statement-breakpoint
CREATE TRIGGER bookings_deleted AFTER DELETE ON bookings REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_rides();
