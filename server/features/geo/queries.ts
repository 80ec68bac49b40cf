import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/**
 * Saved places of people around a point: `owner_id`, `label` and `metres`, as a statement for a lateral join.
 * Distances on a sphere; within some 30 kilometers.
 */
export const shortcutsAround = (at: { lon: SQLWrapper; lat: SQLWrapper }): SQL => sql`
  select s.owner_id, s.label, 12742000 * asin(sqrt(least(1, power(sin(radians(s.at_lat - ${at.lat}) / 2), 2)
    + cos(radians(s.at_lat)) * cos(radians(${at.lat})) * power(sin(radians(s.at_lon - ${at.lon}) / 2), 2)))) as metres
  from shortcuts s
  where point(s.at_lon, s.at_lat) <@ box(point(${at.lon} - 0.5, ${at.lat} - 0.3), point(${at.lon} + 0.5, ${at.lat} + 0.3))`;
