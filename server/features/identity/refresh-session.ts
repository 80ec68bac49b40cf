import { deviceName, isOtherDevice } from '#contract/access/device.ts';
import type { SessionUser } from '#contract/access/endpoints.ts';
import type { App } from '../../app-type.ts';
import { dayMs, later, secondMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Origin } from '../../platform/http/cookies.ts';
import { noSession } from '../../platform/refusal.ts';
import { hashSecret } from '../../platform/security/session.ts';
import { sessionCopiedEmail } from './rules/emails.ts';
import { endSessions, hashAddress, openSession, refuseSuspended } from './sessions.ts';
import { signInBeganAt } from './sign-ins/store.ts';
import * as store from './store.ts';

/**
 * A sign-in ends after this time, however often it is renewed, so that a forgotten device does not stay
 * signed in.
 */
const longestSignInMs = 365 * dayMs;
/** How far apart two tabs of one browser may refresh the same token. */
const tabsApartMs = 10 * secondMs;

/**
 * Exchanges a refresh token for a new pair, up to a year after the sign-in. Reusing a token ends all sessions
 * of its sign-in, and so does using it in a different browser on a different system, because it must have
 * been copied.
 */
export async function refreshSession(app: App, refreshToken: string, origin: Origin): Promise<SessionUser> {
  const { transact, responseCache, outbox } = app;
  const renewed = await transact('refresh session', async (tx, afterCommit) => {
    const session = await store.findSession(tx, { refreshHash: hashSecret(refreshToken) });
    const person = session === null ? null : await store.holdUser(tx, session.userId);
    if (session === null || person === null) return null;
    // The exchanged token ends at once.
    afterCommit(() => responseCache.forget(person.id));
    // The token proves who the person is, so a suspended one reads the reason.
    refuseSuspended(person);
    const { id, family } = session;
    if (isOtherDevice(session.userAgent, origin.userAgent)) {
      await endSessions(app, tx, { userId: person.id, family }, afterCommit);
      await outbox.post(tx, {
        to: person.email,
        ...sessionCopiedEmail(person.language, deviceName(session.userAgent)),
      });
      return null;
    }
    const beganAt = await signInBeganAt(tx, family);
    if (beganAt !== null && later(beganAt, longestSignInMs) <= app.clock.now()) {
      await endSessions(app, tx, { userId: person.id, family }, afterCommit);
      return null;
    }
    if (await mayRenew(app, tx, session, origin))
      return openSession(app, tx, person, { origin, family, parentId: id });
    // Used before, or replaced by another answer: two parties have the same token.
    const now = await store.findSession(tx, { id });
    if (now !== null && (now.rotatedAt !== null || now.endedAt !== null))
      await endSessions(app, tx, { userId: person.id, family }, afterCommit);
    return null;
  });
  // Refused after the commit, so that the family stays ended.
  if (renewed === null) throw noSession();
  return renewed;
}

/** Whether a session may be renewed. Marks it as renewed, and ends an unused sibling. */
async function mayRenew(
  app: App,
  tx: Db,
  { id, parentId }: { id: string; parentId: string | null },
  origin: Origin,
): Promise<boolean> {
  const now = app.clock.now();
  if (await store.rotateSession(tx, id, now)) {
    // Sessions that another tab got from the same parent are no longer used.
    if (parentId !== null) await store.endSiblings(tx, parentId, now);
    return true;
  }
  if (await isAnotherTab(app, tx, id, origin)) return true;
  // The answer to the first use got lost in transit: a second use gets a new one.
  return store.endUnusedChild(tx, id, now);
}

/**
 * Whether a token was just refreshed from the same browser and network: two tabs that renew at the same time,
 * of which neither sees yet what the other has stored. Each gets a pair that works.
 */
async function isAnotherTab({ clock }: App, tx: Db, sessionId: string, origin: Origin): Promise<boolean> {
  const child = await store.openChildOf(tx, sessionId);
  if (child === null) return false;
  return (
    clock.now().getTime() - child.createdAt.getTime() < tabsApartMs &&
    child.userAgent === origin.userAgent.slice(0, 300) &&
    child.addressHash === (await hashAddress(tx, origin.address))
  );
}
