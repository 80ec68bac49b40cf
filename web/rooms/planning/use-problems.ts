import { useEffect, useState } from 'react';
import { planFields, type PlanField, type Problems } from './publish.ts';

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
  const [problems, setProblems] = useState<Problems>({});
  const [focus, setFocus] = useState<PlanField | null>(null);

  useEffect(() => {
    if (focus === null) return;
    const field = document.querySelector(`#field-${focus}`);
    const control = field?.matches('button, input')
      ? field
      : field?.querySelector('input, textarea, button, a');
    if (control instanceof HTMLElement) {
      control.focus({ preventScroll: true });
      field?.scrollIntoView({ block: 'center' });
    }
    setFocus(null);
  }, [focus]);

  return {
    problems,
    show: (found) => {
      const first = planFields.find((field) => found[field] !== undefined);
      setProblems(found);
      if (first === undefined) return false;
      setFocus(first);
      return true;
    },
    forget: (...fields) =>
      setProblems((current) => {
        const left = { ...current };
        for (const field of fields) delete left[field];
        return left;
      }),
  };
}
