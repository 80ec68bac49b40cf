import { z } from 'zod';

const draft = z.object({
  /** The e-mail typed so far: the next step shows it, and coming back from the mail keeps it. */
  email: z.string().default(''),
  /** The e-mail or phone number that a code for a new password goes to. */
  resetTo: z.string().default(''),
  /** When another code may be asked for, in milliseconds since 1970; 0 before the first. */
  resendAt: z.number().default(0),
});
export type AccessDraft = z.output<typeof draft>;

const key = 'sameway.accessDraft';
let kept: AccessDraft | null = null;

/**
 * How far somebody has come with signing up or in. It outlives a reload, because a phone may drop the page while its
 * person reads the code in another app; it ends with the tab. Passwords are never kept.
 */
export function readDraft(): AccessDraft {
  if (kept !== null) return kept;
  try {
    kept = draft.parse(JSON.parse(sessionStorage.getItem(key) ?? '{}'));
  } catch {
    kept = draft.parse({});
  }
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
    // Nothing was kept there.
  }
}
