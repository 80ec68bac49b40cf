import { createHmac, randomUUID } from 'node:crypto';
import { deviceName, isOtherDevice } from '#contract/access/device.ts';
import type * as access from '#contract/access/endpoints.ts';
import type { SessionUser } from '#contract/access/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { dayMs, hourMs, later, type Clock, secondMs } from '../../platform/clock.ts';
import type { CommandPlatform } from '../../platform/command-platform.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Origin } from '../../platform/http/cookies.ts';
import { notFound, Refusal, noSession } from '../../platform/refusal.ts';
import { hashSecret, newSecret, type Authenticate } from '../../platform/security/session.ts';
import { newDeviceEmail, sessionCopiedEmail } from './rules/emails.ts';
import { placeOf } from './rules/place.ts';
import { insertSignIn, noteSignInUse, signInBeganAt } from './sign-ins/store.ts';
import * as store from './store.ts';
import { viewSession } from './view.ts';

const accessLifeMs = hourMs;
const refreshLifeMs = 60 * dayMs;

type AfterCommit = (task: () => void) => void;

/** The stored hash of a network address: it recognizes the address but does not reveal it. */
export const hashAddress = async (tx: Db, address: string): Promise<string> =>
  createHmac('sha256', await store.codeKey(tx))
    .update(`address:${address}`)
    .digest('base64url');

/**
 * Starts a session, in the caller's transaction, which has locked the person's row: of a new sign-in, or of
 * one that is renewed (`parentId`). Refuses `access.suspended`.
 * @param isSecondFactor whether the person has proved who they are with a second factor.
 */
export async function openSession(
  app: App,
  tx: Db,
  person: store.UserRow,
  {
    origin,
    family = randomUUID(),
    parentId = null,
    isSecondFactor = false,
  }: { origin: Origin; family?: string; parentId?: string | null; isSecondFactor?: boolean },
): Promise<SessionUser> {
  refuseSuspended(person);
  const { clock } = app;
  const now = clock.now();
  if (parentId === null) await tellOfNewDevice(app, tx, person, origin);
  const tokens = {
    accessToken: newSecret(),
    refreshToken: newSecret(),
    expiresAt: later(now, accessLifeMs),
  };
  await store.insertSession(tx, {
    id: randomUUID(),
    userId: person.id,
    family,
    parentId,
    accessHash: hashSecret(tokens.accessToken),
    refreshHash: hashSecret(tokens.refreshToken),
    expiresAt: tokens.expiresAt,
    refreshExpiresAt: later(now, refreshLifeMs),
    userAgent: origin.userAgent.slice(0, 300),
    addressHash: await hashAddress(tx, origin.address),
    createdAt: now,
  });
  const use = {
    family,
    userAgent: origin.userAgent.slice(0, 300),
    network: placeOf(origin.address),
    usedAt: now,
  };
  if (parentId !== null) await noteSignInUse(tx, use);
  else {
    const secondFactorAt = isSecondFactor ? now : null;
    await insertSignIn(tx, { ...use, userId: person.id, provedAt: now, secondFactorAt, createdAt: now });
  }
  return viewSession(person, tokens, await store.oauthSubject(tx, person.id));
}

/**
 * Sends an email when a person signs in on a device that they have not used before, other than their first.
 */
async function tellOfNewDevice(
  { env, outbox }: App,
  tx: Db,
  { id, email, language }: store.UserRow,
  { userAgent, address }: Origin,
): Promise<void> {
  const known = await store.knownBrowsers(tx, id);
  const name = deviceName(userAgent);
  if (known.length === 0 || known.some((each) => deviceName(each) === name)) return;
  const facts = {
    device: name,
    place: placeOf(address),
    settingsAt: `${env.publicUrl}/pages/account/settings2`,
  };
  await outbox.post(tx, { to: email, ...newDeviceEmail(language, facts) });
}

/** Ends sessions of a person, in the caller's transaction; closes their sockets after the commit. */
export async function endSessions(
  { clock, realtime }: Pick<CommandPlatform, 'clock' | 'realtime'>,
  tx: Db,
  of: { userId: string; family?: string },
  afterCommit: AfterCommit,
): Promise<void> {
  const { userId, family } = of;
  const ended = await store.endSessions(tx, family === undefined ? { userId } : { family }, clock.now());
  afterCommit(() => {
    for (const sessionId of ended) realtime.drop(sessionId);
  });
}

/** Ends every session of a person, in the caller's transaction. */
export const endAllSessions = (
  app: Parameters<typeof endSessions>[0],
  tx: Db,
  userId: string,
  afterCommit: AfterCommit,
): Promise<void> => endSessions(app, tx, { userId }, afterCommit);

/**
 * Ends every sign-in of a person but the caller's own, in the caller's transaction. @returns how many ended.
 */
export async function endOtherSessions(
  app: App,
  tx: Db,
  { userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>,
  afterCommit: AfterCommit,
): Promise<number> {
  const own = await store.findSession(tx, { id: sessionId });
  const open = await store.openFamilies(tx, userId, app.clock.now());
  const others = open.filter(({ family }) => family !== own?.family);
  for (const { family } of others) await endSessions(app, tx, { userId, family }, afterCommit);
  return others.length;
}

/** Ends all sessions of the caller's sign-in. */
export async function signOut(app: App, { userId, sessionId }: Caller): Promise<void> {
  await app.transact('sign out', async (tx, afterCommit) => {
    await store.holdUser(tx, userId);
    const session = await store.findSession(tx, { id: sessionId });
    if (session !== null) await endSessions(app, tx, { userId, family: session.family }, afterCommit);
  });
}

/** Ends one of the caller's own sign-ins, or all but this one. Refuses `session.notFound`. */
export async function endSignIn(
  app: App,
  caller: Caller,
  family: string | undefined,
): Promise<{ ended: number }> {
  const { userId } = caller;
  return app.transact('end sign in', async (tx, afterCommit) => {
    await store.holdUser(tx, userId);
    if (family === undefined) return { ended: await endOtherSessions(app, tx, caller, afterCommit) };
    const open = await store.openFamilies(tx, userId, app.clock.now());
    if (!open.some((each) => each.family === family))
      throw notFound('session.notFound', 'This session has already ended.');
    await endSessions(app, tx, { userId, family }, afterCommit);
    return { ended: 1 };
  });
}

/** Where the person is signed in: one entry per sign-in, however often it was renewed. */
export async function listSessions(
  { db, clock }: App,
  { userId, sessionId }: Caller,
): Promise<OutputOf<typeof access.sessions>> {
  const rows = await store.openFamilies(db, userId, clock.now());
  const own = await store.findSession(db, { id: sessionId });
  return {
    sessions: rows.map(({ family, userAgent, network, signedInAt, activeAt }) => ({
      id: family,
      current: family === own?.family,
      userAgent,
      network,
      signedInAt: signedInAt.toISOString(),
      activeAt: activeAt.toISOString(),
    })),
  };
}

/** Refuses `access.suspended`, with the reason of the suspension. */
export function refuseSuspended({ suspendedAt, suspendedReason }: store.UserRow): void {
  if (suspendedAt === null) return;
  throw new Refusal('access.suspended', 'Your account is suspended. Please write to us.', {
    code: 403,
    data: { suspendedReason },
  });
}

/**
 * Finds the person of an access token; the platform calls it for each request that is not in a cache. Records
 * the token's first use.
 */
export function createAuthenticate(db: Db, clock: Clock): Authenticate {
  return async (token) => {
    if (token === '') return null;
    const row = await store.findSignedIn(db, hashSecret(token), clock.now());
    if (row === null) return null;
    const { usedAt, ...caller } = row;
    if (usedAt === null) await store.noteUse(db, caller.sessionId, clock.now());
    return caller;
  };
}

/**
 * A sign-in ends after this time, however often it is renewed, so that a forgotten device does not stay
 * signed in.
 */
const longestSignInMs = 365 * dayMs;
/** Longest time between two tabs of one browser that refresh the same token. */
const tabsApartMs = 10 * secondMs;

/**
 * Exchanges a refresh token for a new pair, up to a year after the sign-in. Reusing a token ends all sessions
 * of its sign-in, and so does using it in a different browser on a different system, because it must have
 * been copied.
 */
export async function refreshSession(app: App, refreshToken: string, origin: Origin): Promise<SessionUser> {
  const { transact, outbox } = app;
  const renewed = await transact('refresh session', async (tx, afterCommit) => {
    const session = await store.findSession(tx, { refreshHash: hashSecret(refreshToken) });
    const person = session === null ? null : await store.holdUser(tx, session.userId);
    if (session === null || person === null) return null;
    // The exchanged token ends at once.
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

/** Checks that a session may be renewed, marks it as renewed, and ends an unused sibling. */
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
