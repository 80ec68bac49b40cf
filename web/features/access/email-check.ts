import { useState } from 'react';
import { checkAccount } from '#contract/access/endpoints.ts';
import { call } from '../../core/api.ts';
import { Refused } from '../../core/errors.ts';
import { useAllowedDomains } from './allowed-domains.ts';
import { keepDraft } from './draft.ts';

/** Asked too often, nothing is known: most of those who come back have an account. */
async function isKnown(email: string): Promise<boolean> {
  try {
    return (await call(checkAccount, { email }, { quiet: isTooOften })).exists;
  } catch (error) {
    if (!isTooOften(error)) throw error;
    return true;
  }
}

const isTooOften = (error: unknown): boolean => error instanceof Refused && error.code === 429;

/** Asks whether an e-mail has an account, and keeps it for the next step. */
export function useEmailCheck({ onKnown, onNew }: { onKnown: () => void; onNew: () => void }): {
  hint: string | undefined;
  busy: boolean;
  check: (email: string) => Promise<string | null>;
} {
  const { hint, refusal } = useAllowedDomains();
  const [busy, setBusy] = useState(false);
  return {
    hint,
    busy,
    check: async (email) => {
      setBusy(true);
      try {
        const exists = await isKnown(email);
        // A person who has an account may use it, whatever domains may sign up today.
        const refused = exists ? null : refusal(email);
        if (refused !== null) return refused;
        keepDraft({ email, resendAt: 0 });
        if (exists) onKnown();
        else onNew();
        return null;
      } catch {
        // Already shown as a toast; what was typed stays.
        return null;
      } finally {
        setBusy(false);
      }
    },
  };
}
