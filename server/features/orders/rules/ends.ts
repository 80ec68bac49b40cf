import type { Place } from '#contract/units.ts';

/** Start and end of an order, or of anything stored like one. */
export interface EndColumns {
  fromName: string;
  fromDetail: string;
  fromLon: number;
  fromLat: number;
  toName: string;
  toDetail: string;
  toLon: number;
  toLat: number;
}

/** An order's start, and its destination, as places. */
export const fromOf = (row: EndColumns): Place => ({
  name: row.fromName,
  detail: row.fromDetail,
  lon: row.fromLon,
  lat: row.fromLat,
});
export const toOf = (row: EndColumns): Place => ({
  name: row.toName,
  detail: row.toDetail,
  lon: row.toLon,
  lat: row.toLat,
});

/** The columns of an order's start and destination. */
export const columnsOfEnds = ({ from, to }: { from: Place; to: Place }): EndColumns => ({
  fromName: from.name,
  fromDetail: from.detail,
  fromLon: from.lon,
  fromLat: from.lat,
  toName: to.name,
  toDetail: to.detail,
  toLon: to.lon,
  toLat: to.lat,
});
