import { replaceEqualDeep } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { get, useForm, useWatch, type FieldPath, type FieldPathValue } from 'react-hook-form';
import { useSharedDraft } from '../../core/drafts.ts';
import type { PlanDraft } from './draft.ts';
import type { PlanValues } from './plan-values.ts';
import { planFields, type PlanField, type Problems } from './publish.ts';

type Path = FieldPath<PlanValues>;

/**
 * Hands on the values. What has not changed stays the same object, so that a map is not drawn anew for it.
 */
function sharedValues(): (values: PlanValues) => PlanValues {
  let last: PlanValues | undefined;
  return (values) => (last = replaceEqualDeep(last, values));
}

/** Fields that a change can put right besides its own. */
const alsoMended: Partial<Record<Path, readonly PlanField[]>> = {
  flexMinutes: ['local'],
  vehicleId: ['seats'],
  price: ['costCents', 'vehicleId'],
  costCents: ['vehicleId'],
  visibility: ['tagIds'],
};

/** What is filled in of a plan and what is wrong with it, field by field. */
export interface PlanForm {
  values: PlanValues;
  errorOf: (field: PlanField) => string | undefined;
  /** Changes one field and takes its error away. */
  set: <N extends Path>(name: N, value: FieldPathValue<PlanValues, N>) => void;
  /** The same for several fields. */
  change: (part: Partial<PlanValues>) => void;
  /** Shows what is wrong beside the fields and moves the focus to the first; true if there was something. */
  show: (problems: Problems) => boolean;
}

/**
 * The form of a plan. What is typed is kept in its draft, and what other pages write there shows.
 * @param start what the form begins with; the draft as it was kept unless another order was changed in it.
 */
export function usePlanForm(draft: PlanDraft, start: () => PlanValues = draft.read): PlanForm {
  const [defaultValues] = useState(start);
  const form = useForm<PlanValues>({ defaultValues });
  const { control, setValue, clearErrors, setError } = form;
  const { errors } = form.formState;
  const [compute] = useState(sharedValues);
  const values = useWatch({ control, compute });
  const [focus, setFocus] = useState<{ field: PlanField } | null>(null);
  useSharedDraft(form, draft, (kept, shown) => kept.of === shown.of);

  // Once the words are beside the field, so that a screen reader reads both.
  useEffect(() => {
    if (focus !== null) focusField(focus.field);
  }, [focus]);

  const set: PlanForm['set'] = (name, value) => {
    setValue(name, value, { shouldDirty: true });
    clearErrors([name, ...(alsoMended[name] ?? [])]);
  };
  return {
    values,
    errorOf: (field) => {
      const message: unknown = get(errors, `${field}.message`);
      return typeof message === 'string' ? message : undefined;
    },
    set,
    change: (part) => {
      for (const [name, value] of Object.entries(part)) set(name as Path, value);
    },
    show: (problems) => {
      clearErrors();
      const found = planFields.filter((field) => problems[field] !== undefined);
      for (const field of found) setError(field, { type: 'refused', message: problems[field]! });
      setFocus(found[0] === undefined ? null : { field: found[0] });
      return found.length > 0;
    },
  };
}

function focusField(field: PlanField): void {
  const part = document.getElementById(`field-${field}`);
  const control = part?.matches('button, input')
    ? part
    : part?.querySelector('input, select, textarea, button, a');
  if (!(control instanceof HTMLElement)) return;
  control.focus({ preventScroll: true });
  part?.scrollIntoView({ block: 'center' });
}
