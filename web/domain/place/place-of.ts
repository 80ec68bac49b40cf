import type { Place } from '#contract/units.ts';

/** A place as a plan keeps it, without what else is known of it where it is shown. */
export const placeOf = ({ name, detail, lon, lat }: Place): Place => ({ name, detail, lon, lat });
