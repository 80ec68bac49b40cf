import { useEffect } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import * as shape from '../../core/shape.ts';

const draft = shape.fields({
  /** The e-mail of the step before: the next one shows it, and coming back from the mail keeps it. */
  email: shape.text.catch(''),
  /** The fields of the open step, half typed as they may be. */
  typed: shape.text.catch(''),
  typedPhone: shape.text.catch(''),
  /** The e-mail or phone number that a code for a new password goes to. */
  resetTo: shape.text.catch(''),
  /** When another code may be asked for, in milliseconds since 1970; 0 before the first. */
  resendAt: shape.figure.catch(0),
});
export type AccessDraft = shape.Shaped<typeof draft>;

const key = 'sameway.accessDraft';
let kept: AccessDraft | null = null;

/**
 * How far a person has come with signing up or in. It outlives a reload, because a phone may drop the page
 * while its person reads the code in another app; it ends with the tab. Passwords are never stored.
 */
export function readDraft(): AccessDraft {
  if (kept !== null) return kept;
  try {
    kept = draft.safeParse(JSON.parse(sessionStorage.getItem(key) ?? '{}')).data ?? null;
  } catch {
    // An unreadable value counts as none.
  }
  kept ??= { email: '', typed: '', typedPhone: '', resetTo: '', resendAt: 0 };
  return kept;
}

export function keepDraft(part: Partial<AccessDraft>): void {
  kept = { ...readDraft(), ...part };
  try {
    sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // A private window without storage: the memory of this page still holds it.
  }
}

export function forgetDraft(): void {
  kept = null;
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was stored there.
  }
}

/**
 * Stores input while it is typed, so that a reload or a newer version loses none of it.
 * @param fields maps fields of the form to their stored names; a password is never one of them.
 */
export function useKeptTyping<T extends FieldValues, C, O>(
  { subscribe }: Pick<UseFormReturn<T, C, O>, 'subscribe'>,
  fields: Readonly<Partial<Record<'typed' | 'typedPhone', keyof T & string>>>,
): void {
  const { typed, typedPhone } = fields;
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) =>
          keepDraft({
            ...(typed === undefined ? {} : { typed: String(values[typed]) }),
            ...(typedPhone === undefined ? {} : { typedPhone: String(values[typedPhone]) }),
          }),
      }),
    [subscribe, typed, typedPhone],
  );
}
