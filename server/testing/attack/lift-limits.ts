import { allEndpoints } from '#contract/all.ts';

/**
 * Removes the rate limits of every call, because a refusal by a limit would hide what the call does. Test
 * files share the contract, so a test must restore the limits at its end.
 * @returns a function that restores them.
 */
export function liftLimits(): () => void {
  const kept = allEndpoints.map((endpoint) => ({ endpoint, limits: endpoint.limits ?? [] }));
  for (const { endpoint } of kept) endpoint.limits = [];
  return () => {
    for (const { endpoint, limits } of kept) endpoint.limits = limits;
  };
}
