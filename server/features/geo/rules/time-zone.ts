import findTimeZone from '@photostructure/tz-lookup';

/** The IANA time zone at a point. */
export const timeZoneAt = (lon: number, lat: number): string => findTimeZone(lat, lon);
