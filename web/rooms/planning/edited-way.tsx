import type { Draft } from './draft.ts';
import type { PlanField, Problems } from './publish.ts';
import { useWayOnMap, type Way } from './use-way.ts';
import { WayFacts } from './way-facts.tsx';
import { WayFields } from './way-fields.tsx';
import { WayMap } from './way-map.tsx';

/** The two ends of a plan that is being edited, on the map and as fields, and what lies between them. */
export function EditedWay({
  draft: { from, to },
  way,
  problems,
  onChoose,
  change,
}: {
  draft: Pick<Draft, 'from' | 'to'>;
  way: Way;
  problems: Problems;
  onChoose: (end: 'from' | 'to') => void;
  change: (part: Pick<Draft, 'from' | 'to'>, ...fields: PlanField[]) => void;
}) {
  const shown = useWayOnMap(from, to, way.quote);
  const errorOf = (end: 'from' | 'to') =>
    problems[end] ?? (way.refusal?.field === end ? way.refusal.words : undefined);
  return (
    <>
      <WayMap shown={shown} />
      <WayFields
        from={from}
        to={to}
        errors={{ from: errorOf('from'), to: errorOf('to') }}
        onChoose={onChoose}
        onSwap={() => change({ from: to, to: from }, 'from', 'to')}
      />
      <WayFacts way={way} />
    </>
  );
}
