import type { z } from 'zod';
import type * as access from '#contract/access/endpoints.ts';
import type { SessionUser } from '#contract/access/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { cookieSeconds } from '#contract/privacy/retention.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import type { Origin } from '../../platform/http/cookies.ts';
import { refuseField, Refusal } from '../../platform/refusal.ts';
import { hashSecret, newSecret } from '../../platform/security/session.ts';
import { enterByOAuth } from './oauth-account.ts';
import { mayReturnTo } from './rules/return-address.ts';
import * as store from './store.ts';

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
