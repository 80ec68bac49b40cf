import type { Endpoint, OutputOf } from '#contract/define.ts';
import { invalidate } from '../../core/query-client.ts';
import { useAction, type Action } from '../../core/queries.ts';

/** What any step of a ride can change on screen. */
export const touchedByRides = ['/order/', '/im/', '/event/', '/review/', '/notification/'];

/**
 * A step of a ride or booking. When it was refused because things have moved on, the screen shows how they
 * stand now.
 */
export function useRideAction<E extends Endpoint>(
  endpoint: E,
  onDone?: (output: OutputOf<E>) => void,
): Action<E> {
  return useAction(endpoint, {
    invalidates: touchedByRides,
    ...(onDone ? { onDone } : {}),
    onRefused: (refused) => {
      if (refused.code === 409 || refused.code === 404) void invalidate(...touchedByRides);
      return false;
    },
  });
}
