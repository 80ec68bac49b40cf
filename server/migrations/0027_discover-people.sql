-- Whoever has said how they travel before ways were kept is looked at in the first rounds of the clock.
insert into ways_due (person_id, due_at)
select person_id, timestamptz 'epoch' from (
  select driver_id as person_id from rides
  union select passenger_id from requests
  union select owner_id from order_series
  union select owner_id from alerts
) travellers;
