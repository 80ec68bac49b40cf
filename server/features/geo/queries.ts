import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/**
 * The owners (`owner_id`) of saved places from which a point is no farther than the distance within which
 * they want notifications of orders, as a statement for a lateral join. Distances on a sphere; within some 30
 * kilometers. `degrees` is their distance: ordered by it, an index returns the nearest places alone.
 */
export const toldAround = (at: { lon: SQLWrapper; lat: SQLWrapper }): SQL => sql`
  select s.owner_id, point(s.at_lon, s.at_lat) <-> point(${at.lon}, ${at.lat}) as degrees from shortcuts s
  where s.shown_within_metres is not null
    and s.shown_within_metres >= 12742000 * asin(sqrt(least(1, power(sin(radians(s.at_lat - ${at.lat}) / 2), 2)
      + cos(radians(s.at_lat)) * cos(radians(${at.lat})) * power(sin(radians(s.at_lon - ${at.lon}) / 2), 2))))
    and point(s.at_lon, s.at_lat) <@ box(point(${at.lon} - 0.5, ${at.lat} - 0.3), point(${at.lon} + 0.5, ${at.lat} + 0.3))`;
