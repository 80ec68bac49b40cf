import type { z } from 'zod';
import type * as access from '#contract/access/endpoints.ts';
import type { App } from '../../app-type.ts';
import { accountName } from './account-name.ts';
import * as store from './store.ts';

/**
 * Whether an account has this email or phone, if its owner lets others find it by that: otherwise the answer
 * is that of no account. Refuses `access.nameMissing`.
 */
export async function checkAccount(
  { db }: App,
  input: z.output<typeof access.checkAccount.input>,
): Promise<{ exists: boolean }> {
  const name = accountName(input);
  const person = name === null ? null : await store.findUser(db, name);
  if (name === null || person === null) return { exists: false };
  return { exists: 'email' in name ? person.foundByEmail : person.foundByPhone };
}
