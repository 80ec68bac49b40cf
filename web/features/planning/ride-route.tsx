import type { DriverDraft } from './draft.ts';
import { EditedRoute } from './edited-route.tsx';
import type { PlanField, Problems } from './publish.ts';
import { routeProblem } from './use-problems.ts';
import type { PlannedRoute } from './use-planned-route.ts';
import { ViaFields } from './via-fields.tsx';

/** The way of a driver's plan: its two ends and the stops between them, which turn around with them. */
export function RideRoute({
  draft,
  route,
  problems,
  onChoose,
  onChooseStop,
  change,
}: {
  draft: Pick<DriverDraft, 'from' | 'via' | 'to'>;
  route: PlannedRoute;
  problems: Problems;
  onChoose: (end: 'from' | 'to') => void;
  /** The stop after the last is new. */
  onChooseStop: (index: number) => void;
  change: (part: Partial<Pick<DriverDraft, 'from' | 'via' | 'to'>>, ...fields: PlanField[]) => void;
}) {
  return (
    <EditedRoute
      draft={draft}
      route={route}
      problems={problems}
      onChoose={onChoose}
      onSwap={() => change({ from: draft.to, to: draft.from, via: draft.via.toReversed() }, 'from', 'to')}
    >
      <ViaFields
        via={draft.via}
        error={routeProblem('via', problems, route)}
        onChoose={onChooseStop}
        onChange={(via) => change({ via }, 'via')}
      />
    </EditedRoute>
  );
}
