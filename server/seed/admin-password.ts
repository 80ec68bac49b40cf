import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { BuiltApp } from '../app.ts';
import { demoAccounts, demoPassword } from '../features/demo/accounts.ts';
import { hashPassword, isPassword } from '../features/identity/password-hash.ts';
import { passwordHashOf } from '../features/identity/queries.ts';
import { replacePassword } from '../features/identity/service.ts';

const { email: adminEmail } = demoAccounts.find(({ role }) => role === 'admin')!;

/** Where the admin's own password lies, and what it is at the one start that has made it. */
export interface OwnPassword {
  file: string;
  fresh: string | null;
}

/**
 * Makes sure that the published password does not open the admin's account of a demo that other machines can
 * reach, and that it does on this machine alone. A new password is stored in the data folder, readable by its
 * owner only. Called before the server listens.
 * @returns null where the published password is valid, or no community lives here.
 */
export async function settleDemoAdmin({ platform }: BuiltApp): Promise<OwnPassword | null> {
  const { env, db } = platform;
  const file = path.join(env.DATA_DIR, 'demo-admin-password');
  const isKept = await fs.access(file).then(
    () => true,
    () => false,
  );
  if (!env.isPublicDemo) {
    if (isKept) {
      await replacePassword(platform, adminEmail, await hashPassword(demoPassword));
      await fs.rm(file);
    }
    return null;
  }
  const passwordHash = await passwordHashOf(db, adminEmail);
  if (passwordHash === null) return null;
  if (isKept && !(await isPassword(passwordHash, demoPassword))) return { file, fresh: null };
  const fresh = randomBytes(15).toString('base64url');
  // The account first: a start that ends in between leaves no file, so the next one makes another password.
  await fs.rm(file, { force: true });
  await replacePassword(platform, adminEmail, await hashPassword(fresh));
  await fs.mkdir(env.DATA_DIR, { recursive: true });
  await fs.writeFile(file, `${fresh}\n`, { mode: 0o600 });
  return { file, fresh };
}
