import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { toast } from '../../ui/toasts.tsx';
import type { PlanDraft } from './draft.ts';
import type { PlanValues } from './plan-values.ts';
import { planFields, type PlanField, type Problems } from './plan-fields.ts';

/** Further fields whose problems a change of this one can put right. */
const alsoMended: Partial<Record<keyof PlanValues, readonly PlanField[]>> = {
  flexMinutes: ['local'],
  vehicleId: ['seats'],
  price: ['costCents', 'vehicleId'],
  costCents: ['vehicleId'],
  visibility: ['tagIds'],
  back: ['back.local', 'back.seats'],
  weekly: ['weekly.weekdays', 'weekly.untilDay'],
};

/** What is filled in of a plan and what is wrong with it, field by field. */
export interface PlanForm {
  values: PlanValues;
  errorOf: (field: PlanField) => string | undefined;
  /** Changes one field and takes its error away. */
  set: <N extends keyof PlanValues>(name: N, value: PlanValues[N]) => void;
  /** The same for several fields. */
  change: (part: Partial<PlanValues>) => void;
  /**
   * Shows problems at their fields and moves the focus to the first; a toast shows the problem of a field
   * that the page does not draw. True if there was something.
   */
  show: (problems: Problems) => boolean;
}

/**
 * The form of a plan. Its values are those of its draft, which other pages and tabs change too.
 * @param start the first values of the form; the stored draft unless another order was changed in it.
 */
export function usePlanForm(draft: PlanDraft, start: () => PlanValues = draft.read): PlanForm {
  const kept = useSyncExternalStore(draft.subscribe, draft.read);
  const [held, setHeld] = useState(start);
  // The draft may be of another order: this one has not been changed yet, or another tab changes that one.
  const values = kept.of === held.of ? kept : held;
  if (values !== held) setHeld(values);
  const [problems, setProblems] = useState<Problems>({});
  const [focus, setFocus] = useState<{ field: PlanField } | null>(null);

  // Once the words are at the field, so that a screen reader reads both.
  useEffect(() => {
    if (focus !== null) focusField(focus.field);
  }, [focus]);

  const change = useCallback(
    (part: Partial<PlanValues>) => {
      const latest = draft.read();
      draft.write({ ...(latest.of === held.of ? latest : held), ...part });
      const names = Object.keys(part) as (keyof PlanValues)[];
      setProblems((shown) => without(shown, [...names, ...names.flatMap((name) => alsoMended[name] ?? [])]));
    },
    [draft, held],
  );
  return {
    values,
    errorOf: (field) => problems[field],
    set: (name, value) => change({ [name]: value }),
    change,
    show: (found) => {
      const wrong = planFields.filter((field) => found[field] !== undefined);
      const [first] = wrong.filter(isDrawn);
      setProblems(found);
      setFocus(first === undefined ? null : { field: first });
      const unsaid = wrong.find(
        (field) => !isDrawn(field) && !wrong.some((each) => isDrawn(each) && found[each] === found[field]),
      );
      if (unsaid !== undefined) toast.error(found[unsaid]!);
      return wrong.length > 0;
    },
  };
}

const without = (problems: Problems, fields: readonly string[]): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([field]) => !fields.includes(field)));

const partOf = (field: PlanField): HTMLElement | null => document.getElementById(`field-${field}`);

/** Whether the page has the part in which the field's words appear. */
const isDrawn = (field: PlanField): boolean => partOf(field) !== null;

function focusField(field: PlanField): void {
  const part = partOf(field);
  const control = part?.matches('button, input')
    ? part
    : part?.querySelector('input, select, textarea, button, a');
  if (!(control instanceof HTMLElement)) return;
  control.focus({ preventScroll: true });
  part?.scrollIntoView({ block: 'center' });
}
