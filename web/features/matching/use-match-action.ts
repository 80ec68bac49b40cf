import type { Endpoint, OutputOf } from '#contract/define.ts';
import { invalidate } from '../../core/query-client.ts';
import { useAction, type Action } from '../../core/queries.ts';

const touched = ['/order/', '/im/'];

/**
 * An ask, an invitation or an answer. Refused because things have moved on, the list shows how they stand
 * now.
 */
export function useMatchAction<E extends Endpoint>(
  endpoint: E,
  onDone: (output: OutputOf<E>) => void,
): Action<E> {
  return useAction(endpoint, {
    invalidates: touched,
    onDone,
    onRefused: (refused) => {
      if (refused.code === 409 || refused.code === 404) void invalidate(...touched);
      return false;
    },
  });
}
