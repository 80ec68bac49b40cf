import type { ContactsContext } from './context.ts';
import { allowances } from './policy.ts';

/** Counts one try of a person or address; refuses the one beyond what the policy allows. */
export const within = (
  { platform }: ContactsContext,
  name: keyof typeof allowances,
  key: string,
): Promise<void> => platform.limit(`${name}:${key}`, allowances[name].most, allowances[name].windowSeconds);
