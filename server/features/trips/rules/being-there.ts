import { nearPlaceMetres } from '#contract/rides/endpoints.ts';
import type { ReachEvidence } from '#contract/rides/moves.ts';
import { greatCircleMetres, type LonLat } from '#roads/graph/geometry.ts';
import { minuteMs } from '../../../platform/clock.ts';

/** A position as old as this no longer says where the device is. */
const freshMs = 10 * minuteMs;

/** How a driver shows that they stand at a place: by their device's position, or by hand with a reason. */
export type Evidence =
  | { by: 'position' }
  | { by: 'words' | 'contradicted'; reason: string; metresAway: number | null }
  | { by: 'nothing'; metresAway: number | null };

/** The newest position of the driver's device. */
export type LastPosition = LonLat & { at: Date };

/**
 * Words never outweigh a position: with one that says that the device is elsewhere, told now or a few minutes
 * ago, they are contradicted.
 * @param told where the device is, where it may be known, and why to believe the driver where that does not
 *   say so.
 * @param last what the device has told before.
 */
export function evidenceOf(
  place: LonLat,
  told: { at?: LonLat | undefined; reason: string },
  { last, now }: { last: LastPosition | null; now: Date },
): Evidence {
  const known = told.at ?? (isFresh(last, now) ? last : null);
  const metresAway = known === null ? null : Math.round(greatCircleMetres(known, place));
  if (told.at !== undefined && metresAway! <= nearPlaceMetres) return { by: 'position' };
  if (told.reason === '') return { by: 'nothing', metresAway: told.at === undefined ? null : metresAway };
  if (metresAway === null) return { by: 'words', reason: told.reason, metresAway };
  return metresAway <= nearPlaceMetres
    ? { by: 'position' }
    : { by: 'contradicted', reason: told.reason, metresAway };
}

const isFresh = (last: LastPosition | null, now: Date): last is LastPosition =>
  last !== null && Math.abs(now.getTime() - last.at.getTime()) <= freshMs;

/** Whether a device was at a place at an instant; null where it has not said so about that time. */
export function wasThere(place: LonLat, last: LastPosition | null, at: Date): boolean | null {
  return isFresh(last, at) ? greatCircleMetres(last, place) <= nearPlaceMetres : null;
}

/**
 * What counts when a passenger is marked as a no-show: the newest position, else how the driver has shown to
 * be there.
 */
export function evidenceLater(reachedBy: ReachEvidence | null, isThere: boolean | null): ReachEvidence {
  if (isThere !== null) return isThere ? 'position' : 'contradicted';
  return reachedBy ?? 'words';
}

/**
 * The evidence as the history keeps it, in the note of the move: `position`, `hand: why`, or `hand 820: why`
 * from that far away.
 */
export function evidenceNote(evidence: Exclude<Evidence, { by: 'nothing' }>): string {
  if (evidence.by === 'position') return 'position';
  return `hand${evidence.metresAway === null ? '' : ` ${evidence.metresAway}`}: ${evidence.reason}`;
}
