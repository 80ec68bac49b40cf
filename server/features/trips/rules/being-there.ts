import { nearPlaceMetres } from '#contract/rides/endpoints.ts';
import type { ReachEvidence } from '#contract/rides/moves.ts';
import { greatCircleMetres, type LonLat } from '#roads/graph/geometry.ts';
import { minuteMs } from '../../../platform/clock.ts';

/** An older position does not show where the device is. */
const freshMs = 10 * minuteMs;

/** Evidence that a driver is at a place: their device's position, or their word with a reason. */
export type Evidence =
  | { by: 'position' }
  | { by: 'words' | 'contradicted'; reason: string; metresAway: number | null }
  | { by: 'nothing'; metresAway: number | null };

/** The newest position of the driver's device. */
export type LastPosition = LonLat & { at: Date };

/**
 * The evidence of being at a place. A position outweighs the driver's word: one elsewhere, sent now or a few
 * minutes ago, contradicts it.
 * @param told the device's position, where known, and the driver's reason where that position does not match.
 * @param last the last position sent before.
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

/** Whether a device was at a place at an instant; null where it sent no position about that time. */
export function wasThere(place: LonLat, last: LastPosition | null, at: Date): boolean | null {
  return isFresh(last, at) ? greatCircleMetres(last, place) <= nearPlaceMetres : null;
}

/**
 * The evidence that counts when a passenger is marked as a no-show: the newest position, else the evidence of
 * reaching the pick-up.
 */
export function evidenceLater(reachedBy: ReachEvidence | null, isThere: boolean | null): ReachEvidence {
  if (isThere !== null) return isThere ? 'position' : 'contradicted';
  return reachedBy ?? 'words';
}

/**
 * The evidence as stored in the move's note in the history: `position`, `hand: why`, or `hand 820: why` with
 * the distance in meters.
 */
export function evidenceNote(evidence: Exclude<Evidence, { by: 'nothing' }>): string {
  if (evidence.by === 'position') return 'position';
  return `hand${evidence.metresAway === null ? '' : ` ${evidence.metresAway}`}: ${evidence.reason}`;
}
