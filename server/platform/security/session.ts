import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, isNull } from 'drizzle-orm';
import { sessions, users } from '../../schema/identity.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import type { Caller } from '../http/caller.ts';

/** A secret that only its holder knows: 32 random bytes, URL-safe. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** What is stored of a secret. Secrets are random, so a fast hash is enough. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** A caller, and when their access token ends. */
export interface SignedIn extends Caller {
  expiresAt: Date;
}

/** The caller behind an access token, or null when it is unknown, over or ended. */
export function createAuthenticate(db: Db, clock: Clock): (token: string) => Promise<SignedIn | null> {
  return async (token) => {
    if (token === '') return null;
    const rows = await db
      .select({
        userId: sessions.userId,
        sessionId: sessions.id,
        isAdmin: users.isAdmin,
        usedAt: sessions.usedAt,
        expiresAt: sessions.expiresAt,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(
        and(
          eq(sessions.accessHash, hashSecret(token)),
          isNull(sessions.endedAt),
          isNull(sessions.rotatedAt),
          gt(sessions.expiresAt, clock.now()),
          isNull(users.suspendedAt),
        ),
      );
    const [row] = rows;
    if (row === undefined) return null;
    const { usedAt, ...caller } = row;
    if (usedAt === null) {
      const unused = and(eq(sessions.id, caller.sessionId), isNull(sessions.usedAt));
      await db.update(sessions).set({ usedAt: clock.now() }).where(unused);
    }
    return caller;
  };
}
