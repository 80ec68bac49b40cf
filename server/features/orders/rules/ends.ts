import type { Place } from '#contract/units.ts';

/** The columns of an order's start and destination. */
export const columnsOfEnds = ({ from, to }: { from: Place; to: Place }) => ({
  fromName: from.name,
  fromDetail: from.detail,
  fromLon: from.lon,
  fromLat: from.lat,
  toName: to.name,
  toDetail: to.detail,
  toLon: to.lon,
  toLat: to.lat,
});
