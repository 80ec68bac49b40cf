import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type * as access from '#contract/access/endpoints.ts';
import { type SessionUser, email as emailSchema } from '#contract/access/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { cookieSeconds } from '#contract/privacy/retention.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Origin } from '../../platform/http/cookies.ts';
import type { Language } from '../../platform/messages/translate.ts';
import { refuseField, Refusal } from '../../platform/refusal.ts';
import { hashSecret, newSecret } from '../../platform/security/session.ts';
import type { OAuthClaims } from './oauth-providers.ts';
import { domainNotAllowed, maySignUp } from './policy.ts';
import { oauthJoinedEmail } from './rules/emails.ts';
import { mayReturnTo } from './rules/return-address.ts';
import { enter, entered } from './second-factor/second-step.ts';
import * as store from './store.ts';
import { agreeToTerms } from './verify-email.ts';

type InputTo<E extends { input: z.ZodType }> = z.output<E['input']>;

const attemptLifeMs = cookieSeconds['sameway-oauth'] * 1000;
/** Holds the state of a sign-in that a browser has begun, for as long as an attempt is valid. */
const stateCookie = 'sameway-oauth';

/** Refuses `access.providerUnknown`, `access.redirectRefused`, `access.providerAway`. */
export async function startOAuth(
  { env, transact, clock, identity: { providers } }: App,
  input: InputTo<typeof access.oauthStart>,
  origin: Origin,
): Promise<OutputOf<typeof access.oauthStart>> {
  if (!mayReturnTo(input.redirect_uri, env.PUBLIC_URL))
    throw refuseField('access.redirectRefused', 'redirect_uri', 'You can’t sign in from this address.');
  const [state, nonce, verifier] = [newSecret(), newSecret(), newSecret()];
  const { provider, redirect_uri: redirectUri, language } = input;
  const authorizationUrl = await providers.begin(provider, {
    redirectUri,
    state,
    nonce,
    verifier,
    language,
  });
  await transact('start oauth', (tx) =>
    store.keepAttempt(tx, {
      stateHash: hashSecret(state),
      provider,
      nonce,
      verifier,
      redirectUri,
      language,
      expiresAt: later(clock.now(), attemptLifeMs),
    }),
  );
  origin.cookies.keep(stateCookie, state);
  return { authorizationUrl, state, nonce };
}

/**
 * Refuses `access.outsideExpired` (unknown, used or too old), `access.outsideRefused`,
 * `access.outsideEmail`.
 */
export async function signInByOAuth(
  app: App,
  input: InputTo<typeof access.oauthLogin>,
  origin: Origin,
): Promise<SessionUser> {
  const { providers } = app.identity;
  const known = origin.cookies.read(stateCookie);
  // A call without a state is identified by the browser's cookie; a state that is sent must match the
  // cookie's.
  if (input.state !== '' && known !== '' && input.state !== known) throw expired();
  const state = input.state || known;
  const attempt = await store.takeAttempt(app.db, { stateHash: hashSecret(state) }, app.clock.now());
  origin.cookies.forget(stateCookie);
  if (attempt === null || attempt.redirectUri !== input.redirect_uri) throw expired();
  const claims = await providers.trade(
    attempt.provider,
    { ...input, state, isFromCookie: input.state === '' },
    attempt,
  );
  const provider = providers.nameOf(attempt.provider);
  const by = { provider, language: attempt.language, nick: '', pushCid: '' };
  return enterByOAuth(app, claims, by, origin);
}

/** The same with an id_token that a native app got, bound to the nonce of `start`. */
export async function signInByIdToken(
  app: App,
  input: InputTo<typeof access.verifyOutside>,
  origin: Origin,
): Promise<SessionUser> {
  const { providers } = app.identity;
  const { id, nonce } = providers.peek(input.id_token);
  // Checked before the attempt is used up: a forged token must not end another person's sign-in.
  const claims = await providers.verify(id, input.id_token, nonce);
  const attempt = await store.takeAttempt(app.db, { nonce }, app.clock.now());
  if (attempt?.provider !== id) throw expired();
  const { userNick: nick, pushCid } = input;
  const by = {
    provider: providers.nameOf(id),
    language: attempt.language,
    nick,
    pushCid,
  };
  return enterByOAuth(app, claims, by, origin);
}

const expired = () =>
  new Refusal('access.outsideExpired', 'This sign-in has expired or was already used. Please start again.');

/** A sign-in: provider, language, name and device. */
interface OAuthEntry {
  provider: string;
  language: Language;
  nick: string;
  pushCid: string;
}

/**
 * Finds or creates the account of an identity at a provider. A new identity joins an existing account only by
 * an email that both the provider and we have verified.
 */
async function enterByOAuth(
  app: App,
  claims: OAuthClaims,
  by: OAuthEntry,
  origin: Origin,
): Promise<SessionUser> {
  const { issuer, groups } = claims;
  const userId = await app.transact(
    'join by oauth',
    async (tx) =>
      (await store.oauthUserId(tx, issuer, claims.subject)) ?? (await join(app, tx, claims, by)).id,
  );
  // In its own transaction: a change of a role locks all owners first.
  if (groups !== null) await app.ports.identity.noteSignInGroups({ userId, issuer, groups });
  const entry = await app.transact('sign in by oauth', async (tx) => {
    const person = await store.holdUser(tx, userId);
    if (person === null) throw noUsableEmail(by.provider);
    const next = await enter(app, tx, person, origin);
    if (by.pushCid !== '')
      await noteDevice(tx, { userId: person.id, pushCid: by.pushCid, origin }, app.clock.now());
    return next;
  });
  return entered(entry);
}

async function join(app: App, tx: Db, claims: OAuthClaims, by: OAuthEntry): Promise<store.UserRow> {
  const email = emailSchema.safeParse(claims.email ?? '');
  if (!email.success || !claims.emailVerified) throw noUsableEmail(by.provider);
  const found = await store.findUser(tx, { email: email.data });
  const person =
    found === null
      ? await make(app, tx, {
          email: email.data,
          name: claims.name || by.nick,
          language: by.language,
        })
      : found;
  if (person.emailVerifiedAt === null) throw noUsableEmail(by.provider);
  const { issuer, subject } = claims;
  const identity = { issuer, subject, userId: person.id, email: email.data, createdAt: app.clock.now() };
  await store.insertOAuthIdentity(tx, identity);
  // A person whose account a directory created agrees to the terms now, as a new person does.
  if (found !== null && (await store.latestConsents(tx, person.id)).length === 0)
    await agreeToTerms(tx, person.id, app.clock.now());
  if (found !== null)
    await app.outbox.post(tx, { to: found.email, ...oauthJoinedEmail(found.language, by.provider) });
  return (await store.holdUser(tx, person.id)) ?? person;
}

async function make(
  { env, clock }: App,
  tx: Db,
  { email, name, language }: { email: string; name: string; language: Language },
): Promise<store.UserRow> {
  if (!maySignUp(email, env.ALLOWED_EMAIL_DOMAINS)) throw domainNotAllowed(env.ALLOWED_EMAIL_DOMAINS);
  const now = clock.now();
  const made = await store.insertUser(tx, {
    id: randomUUID(),
    email,
    emailVerifiedAt: now,
    passwordHash: '',
    name,
    language,
    createdAt: now,
  });
  // Another call created an account with the email at the same moment: the next try finds it.
  if (made === null) throw new Refusal('access.outsideExpired', 'Please start again.');
  await agreeToTerms(tx, made.id, now);
  return made;
}

async function noteDevice(
  tx: Db,
  { userId, pushCid, origin }: { userId: string; pushCid: string; origin: Origin },
  now: Date,
): Promise<void> {
  await store.keepDevice(tx, {
    userId,
    pushCid,
    clientType: 'H5',
    platform: '',
    userAgent: origin.userAgent.slice(0, 500),
    language: '',
    screen: '',
    lastLaunchTime: now,
    createTime: now,
  });
}

const noUsableEmail = (provider: string) =>
  new Refusal(
    'access.outsideEmail',
    `${provider} has not verified your email, so it cannot sign you in. Please use your email instead.`,
    { data: { provider } },
  );
