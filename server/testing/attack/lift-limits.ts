import { allEndpoints } from '#contract/all.ts';

/**
 * Takes the limits off every call: what is looked at is what the calls do, and a refusal by a limit would
 * hide it. Test files share the contract, so the limits are put back at the end.
 * @returns what puts them back.
 */
export function liftLimits(): () => void {
  const kept = allEndpoints.map((endpoint) => ({ endpoint, limits: endpoint.limits ?? [] }));
  for (const { endpoint } of kept) endpoint.limits = [];
  return () => {
    for (const { endpoint, limits } of kept) endpoint.limits = limits;
  };
}
