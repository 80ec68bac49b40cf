import type { ReactNode } from 'react';
import type { Place } from '#contract/units.ts';
import type { Draft } from './draft.ts';
import type { Problems } from './publish.ts';
import { routeProblem } from './use-problems.ts';
import { usePlannedRouteOnMap, type PlannedRoute } from './use-planned-route.ts';
import { RouteFacts } from './route-facts.tsx';
import { RouteFields } from './route-fields.tsx';
import { RouteMap } from './route-map.tsx';

/** The two ends of a plan that is being edited, on the map and as fields, and what lies between them. */
export function EditedRoute({
  draft: { from, to, via = [] },
  route,
  problems,
  onChoose,
  onSwap,
  children,
}: {
  draft: Pick<Draft, 'from' | 'to'> & { via?: readonly Place[] };
  route: PlannedRoute;
  problems: Problems;
  onChoose: (end: 'from' | 'to') => void;
  onSwap: () => void;
  /** The stops between the two, where the plan has such. */
  children?: ReactNode;
}) {
  const shown = usePlannedRouteOnMap(from, to, route.quote, via);
  return (
    <>
      <RouteMap shown={shown} />
      <RouteFields
        from={from}
        to={to}
        errors={{ from: routeProblem('from', problems, route), to: routeProblem('to', problems, route) }}
        onChoose={onChoose}
        onSwap={onSwap}
      />
      {children}
      <RouteFacts route={route} />
    </>
  );
}
