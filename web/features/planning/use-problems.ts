import { useEffect, useState } from 'react';
import { planFields, type PlanField, type Problems } from './publish.ts';
import type { PlannedRoute } from './use-planned-route.ts';

const nothing = { problems: {}, focus: null };

/** What is wrong with an end of the way or its stops: what the form found, else why the roads refuse it. */
export const routeProblem = (
  field: 'from' | 'via' | 'to',
  problems: Problems,
  route: PlannedRoute,
): string | undefined =>
  problems[field] ?? (route.refusal?.field === field ? route.refusal.words : undefined);

/**
 * What is wrong with a form, field by field. Showing problems moves the focus to the first of them;
 * changing a field takes its problem away.
 */
export function useProblems(): {
  problems: Problems;
  /** True if there was something to show. */
  show: (problems: Problems) => boolean;
  forget: (...fields: PlanField[]) => void;
} {
  const [shown, setShown] = useState<{ problems: Problems; focus: PlanField | null }>(nothing);
  const { problems } = shown;

  // Once the words stand beside the field, so that a screen reader reads both.
  useEffect(() => {
    if (shown.focus === null) return;
    const field = document.querySelector(`#field-${shown.focus}`);
    const control = field?.matches('button, input')
      ? field
      : field?.querySelector('input, textarea, button, a');
    if (control instanceof HTMLElement) {
      control.focus({ preventScroll: true });
      field?.scrollIntoView({ block: 'center' });
    }
  }, [shown]);

  return {
    problems,
    show: (found) => {
      const first = planFields.find((field) => found[field] !== undefined);
      setShown({ problems: found, focus: first ?? null });
      return first !== undefined;
    },
    forget: (...fields) =>
      setShown((current) => {
        const left = { ...current.problems };
        for (const field of fields) delete left[field];
        return { problems: left, focus: null };
      }),
  };
}
