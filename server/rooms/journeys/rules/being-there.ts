import { nearPlaceMetres } from '#contract/rides/endpoints.ts';
import { greatCircleMetres, type LonLat } from '#roads/geometry.ts';

/** How a driver shows that they stand at a place: by their device's position, or by hand with a reason. */
export type Evidence =
  | { by: 'position' }
  | { by: 'hand'; reason: string; metresAway: number | null }
  | { by: 'nothing'; metresAway: number | null };

/** @param told where the device is, where it may be known, and why to believe the driver where that does not say so. */
export function evidenceOf(place: LonLat, told: { at?: LonLat | undefined; reason: string }): Evidence {
  const metresAway = told.at === undefined ? null : Math.round(greatCircleMetres(told.at, place));
  if (metresAway !== null && metresAway <= nearPlaceMetres) return { by: 'position' };
  return told.reason === '' ? { by: 'nothing', metresAway } : { by: 'hand', reason: told.reason, metresAway };
}

/** The evidence as the history keeps it, in the note of the move: `position`, `hand: why`, or `hand 820: why` from that far away. */
export function evidenceNote(evidence: Exclude<Evidence, { by: 'nothing' }>): string {
  if (evidence.by === 'position') return 'position';
  return `hand${evidence.metresAway === null ? '' : ` ${evidence.metresAway}`}: ${evidence.reason}`;
}
