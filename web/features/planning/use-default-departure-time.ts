import { useEffect, useEffectEvent } from 'react';
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
  const fillIn = useEffectEvent((known: string) => {
    const at = local === '' ? null : instantOf(local, known);
    if (at === null || Date.parse(at) <= now()) set(nextLocal(now(), known));
  });
  // Judged when the page opens and once the zone is known, never while a person types.
  useEffect(() => {
    if (zone !== null) fillIn(zone);
  }, [zone]);
}
