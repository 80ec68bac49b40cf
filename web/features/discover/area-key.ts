import type { Area } from '#contract/discover/endpoints.ts';

/** The neighborhood where something begins: whatever begins in the same one shares a pin of this id. */
export const areaKeyOf = ({ from }: { from: Area }) => `${from.lon},${from.lat}`;
