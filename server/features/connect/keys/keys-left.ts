import { dayMs, later } from '../../../platform/clock.ts';
import type { CommandPlatform } from '../../../platform/command-platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { noteDeed } from '../../../platform/security/audit-log.ts';
import * as store from './store.ts';

const linkPurpose = 'end keys';
const linkLifeMs = 7 * dayMs;

/**
 * The names of a person's valid keys, and the address of the page that ends them without signing in: for the
 * email about a new password, which does not end them. Null for none.
 */
export async function keysLeft(
  { clock, env, signedTokens }: Pick<CommandPlatform, 'clock' | 'env' | 'signedTokens'>,
  tx: Db,
  userId: string,
): Promise<{ names: string[]; address: string } | null> {
  const now = clock.now();
  const names = await store.validNames(tx, userId, now);
  if (names.length === 0) return null;
  const code = await signedTokens.sign(linkPurpose, [userId], later(now, linkLifeMs));
  return { names, address: `${env.publicUrl}/pages/account/endkeys?code=${code}` };
}

/** Revokes all keys of the person in such a link. Refuses `link.notFound`. @returns how many there were */
export async function endKeys(
  { clock, transact, signedTokens }: Pick<CommandPlatform, 'clock' | 'transact' | 'signedTokens'>,
  code: string,
): Promise<number> {
  const [userId] = (await signedTokens.verify(linkPurpose, code)) ?? [];
  if (userId === undefined) throw new Refusal('link.notFound', 'This link no longer works.', { code: 404 });
  const now = clock.now();
  return transact('end keys', async (tx) => {
    const ended = await store.revokeAll(tx, userId, now);
    for (const { id, name, shown } of ended) {
      const deed = { adminId: userId, personId: userId, thingId: id, note: `${name} (${shown})` };
      await noteDeed(tx, { ...deed, action: 'key.revoked' }, now);
    }
    return ended.length;
  });
}
