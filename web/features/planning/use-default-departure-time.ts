import { useEffect } from 'react';
import { now } from '../../core/clock.ts';
import { instantOf, nextLocal } from '../../core/zoned-time.ts';

/**
 * Fills in a sensible first time, and replaces one from an old draft that has passed; what a person types is
 * left alone.
 */
export function useDefaultDepartureTime(
  local: string,
  zone: string | null,
  set: (local: string) => void,
): void {
  useEffect(() => {
    if (zone === null) return;
    const at = local === '' ? null : instantOf(local, zone);
    if (at === null || Date.parse(at) <= now()) set(nextLocal(now(), zone));
    // Judged when the page opens and once the zone is known, never while a person types.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [zone]);
}
