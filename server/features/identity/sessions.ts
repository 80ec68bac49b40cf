import { createHmac, randomUUID } from 'node:crypto';
import type { OutputOf } from '#contract/define.ts';
import type * as access from '#contract/access/endpoints.ts';
import type { SessionUser } from '#contract/access/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import { dayMs, hourMs, later, secondMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Origin } from '../../platform/http/origin.ts';
import { noSession, notFound, Refusal } from '../../platform/refusal.ts';
import { hashSecret, newSecret } from '../../platform/security/session.ts';
import * as store from './store.ts';
import { viewSession } from './view.ts';

const accessLifeMs = hourMs;
const refreshLifeMs = 60 * dayMs;
/** So far apart two tabs of one browser may trade in the same token. */
const tabsApartMs = 10 * secondMs;

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions: how they begin, are renewed, listed and ended. */
export function createSessions({ clock, db, transact, realtime, responseCache }: Platform) {
  /** Sessions have ended: this process forgets them before the call is answered, sockets are closed wherever they are. */
  const dropAll = (userId: string, sessionIds: string[]) => {
    responseCache.forget(userId);
    for (const sessionId of sessionIds) realtime.drop(sessionId);
  };

  /** What is kept of a network address: enough to know it again, nothing to read it from. */
  const hashAddress = async (tx: Db, address: string): Promise<string> =>
    createHmac('sha256', await store.codeKey(tx))
      .update(`address:${address}`)
      .digest('base64url');

  /** Starts a session. The caller holds the person's row. Refuses `access.suspended`. */
  async function open(
    tx: Db,
    person: store.UserRow,
    origin: Origin,
    line: { family: string; parentId: string | null } = { family: randomUUID(), parentId: null },
  ): Promise<SessionUser> {
    if (person.suspendedAt !== null) throw suspended(person.suspendedReason);
    const now = clock.now();
    const tokens = {
      accessToken: newSecret(),
      refreshToken: newSecret(),
      expiresAt: later(now, accessLifeMs),
    };
    await store.insertSession(tx, {
      id: randomUUID(),
      userId: person.id,
      ...line,
      accessHash: hashSecret(tokens.accessToken),
      refreshHash: hashSecret(tokens.refreshToken),
      expiresAt: tokens.expiresAt,
      refreshExpiresAt: later(now, refreshLifeMs),
      userAgent: origin.userAgent.slice(0, 300),
      addressHash: await hashAddress(tx, origin.address),
      createdAt: now,
    });
    return viewSession(person, tokens, await store.outsideSubject(tx, person.id));
  }

  /** Ends every session of a person, in the caller's transaction, with its sockets once that is committed. */
  async function endAll(tx: Db, userId: string, afterCommit: (task: () => void) => void): Promise<void> {
    const ended = await store.endSessions(tx, { userId }, clock.now());
    afterCommit(() => dropAll(userId, ended));
  }

  /** Ends every sign-in of a person but the caller's own, in the caller's transaction; tells how many ended. */
  async function endOthers(
    tx: Db,
    { userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>,
    afterCommit: (task: () => void) => void,
  ): Promise<number> {
    const own = await store.findSession(tx, { id: sessionId });
    const open = await store.openFamilies(tx, userId, clock.now());
    const others = open.filter(({ family }) => family !== own?.family);
    for (const { family } of others) {
      const ended = await store.endSessions(tx, { family }, clock.now());
      afterCommit(() => dropAll(userId, ended));
    }
    return others.length;
  }

  /**
   * Whether a token was traded in a moment ago from the same browser and network: two tabs that renew at the same edge, of
   * which neither can see yet what the other has kept. Each gets a pair that works.
   */
  async function isAnotherTab(tx: Db, sessionId: string, origin: Origin): Promise<boolean> {
    const child = await store.openChildOf(tx, sessionId);
    if (child === null) return false;
    return (
      clock.now().getTime() - child.createdAt.getTime() < tabsApartMs &&
      child.userAgent === origin.userAgent.slice(0, 300) &&
      child.addressHash === (await hashAddress(tx, origin.address))
    );
  }

  return {
    open,
    endAll,
    endOthers,

    /** Whether the person has signed in from this network address before. */
    knowsAddress: async (userId: string, address: string): Promise<boolean> =>
      store.knowsAddress(db, userId, await hashAddress(db, address)),

    /** Trades a refresh token for a new pair. One that was traded in before ends all that grew from its sign-in. */
    async refresh(refreshToken: string, origin: Origin): Promise<SessionUser> {
      const renewed = await transact(async (tx, afterCommit) => {
        const session = await store.findSession(tx, { refreshHash: hashSecret(refreshToken) });
        const person = session === null ? null : await store.holdUser(tx, session.userId);
        if (session === null || person === null) return null;
        // The token that is traded in is over at once.
        afterCommit(() => responseCache.forget(person.id));
        // Whoever holds the token is the person: they are told why they were signed out.
        if (person.suspendedAt !== null) throw suspended(person.suspendedReason);
        const line = { family: session.family, parentId: session.id };
        if (await store.rotateSession(tx, session.id, clock.now())) {
          // What another tab got beside this one is not used any more.
          if (session.parentId !== null) await store.endSiblings(tx, session.parentId, clock.now());
          return open(tx, person, origin, line);
        }
        if (await isAnotherTab(tx, session.id, origin)) return open(tx, person, origin, line);
        // The answer to the first use got lost on the way: whoever asks again gets what never arrived.
        if (await store.endUnusedChild(tx, session.id, clock.now())) return open(tx, person, origin, line);
        // Traded in before, or ended in favor of another answer: two people hold what one was given.
        const now = await store.findSession(tx, { id: session.id });
        if (now !== null && (now.rotatedAt !== null || now.endedAt !== null)) {
          const ended = await store.endSessions(tx, { family: session.family }, clock.now());
          afterCommit(() => dropAll(person.id, ended));
        }
        return null;
      });
      // Refused after the commit, so that the family stays ended.
      if (renewed === null) throw noSession();
      return renewed;
    },

    /** Ends the caller's session, with all that its sign-in grew. */
    async logout({ userId, sessionId }: Caller): Promise<void> {
      await transact(async (tx, afterCommit) => {
        await store.holdUser(tx, userId);
        const session = await store.findSession(tx, { id: sessionId });
        if (session === null) return;
        const ended = await store.endSessions(tx, { family: session.family }, clock.now());
        afterCommit(() => dropAll(userId, ended));
      });
    },

    /** Where the person is signed in: one entry a sign-in, however often it was renewed. */
    async list({ userId, sessionId }: Caller): Promise<OutputOf<typeof access.sessions>> {
      const rows = await store.openFamilies(db, userId, clock.now());
      const own = await store.findSession(db, { id: sessionId });
      return {
        sessions: rows.map(({ family, userAgent, signedInAt, activeAt }) => ({
          id: family,
          current: family === own?.family,
          userAgent,
          signedInAt: signedInAt.toISOString(),
          activeAt: activeAt.toISOString(),
        })),
      };
    },

    /** Ends one of the caller's own sign-ins, or all but this one. Refuses `session.notFound`. */
    async end({ userId, sessionId }: Caller, family: string | undefined): Promise<{ ended: number }> {
      return transact(async (tx, afterCommit) => {
        await store.holdUser(tx, userId);
        if (family === undefined) return { ended: await endOthers(tx, { userId, sessionId }, afterCommit) };
        const open = await store.openFamilies(tx, userId, clock.now());
        if (!open.some((each) => each.family === family))
          throw notFound('session.notFound', 'This session has ended already.');
        const ended = await store.endSessions(tx, { family }, clock.now());
        afterCommit(() => dropAll(userId, ended));
        return { ended: 1 };
      });
    },
  };
}

const suspended = (reason: string) =>
  new Refusal('access.suspended', 'This account is suspended. Please write to us.', {
    code: 403,
    data: { suspendedReason: reason },
  });
