import type { ReactNode } from 'react';
import type { Place } from '#contract/units.ts';
import type { Draft } from './draft.ts';
import type { Problems } from './publish.ts';
import { wayProblem } from './use-problems.ts';
import { useWayOnMap, type Way } from './use-planned-route.ts';
import { WayFacts } from './route-facts.tsx';
import { WayFields } from './route-fields.tsx';
import { WayMap } from './route-map.tsx';

/** The two ends of a plan that is being edited, on the map and as fields, and what lies between them. */
export function EditedWay({
  draft: { from, to, via = [] },
  way,
  problems,
  onChoose,
  onSwap,
  children,
}: {
  draft: Pick<Draft, 'from' | 'to'> & { via?: readonly Place[] };
  way: Way;
  problems: Problems;
  onChoose: (end: 'from' | 'to') => void;
  onSwap: () => void;
  /** The stops between the two, where the plan has such. */
  children?: ReactNode;
}) {
  const shown = useWayOnMap(from, to, way.quote, via);
  return (
    <>
      <WayMap shown={shown} />
      <WayFields
        from={from}
        to={to}
        errors={{ from: wayProblem('from', problems, way), to: wayProblem('to', problems, way) }}
        onChoose={onChoose}
        onSwap={onSwap}
      />
      {children}
      <WayFacts way={way} />
    </>
  );
}
