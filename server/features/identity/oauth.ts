import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { email as emailSchema, type SessionUser } from '#contract/access/endpoints.ts';
import type * as access from '#contract/access/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { Platform } from '../../platform/platform.ts';
import { later, minuteMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Origin } from '../../platform/http/origin.ts';
import { refuseField, Refusal } from '../../platform/refusal.ts';
import { hashSecret, newSecret } from '../../platform/security/session.ts';
import { agreeToTerms } from './consent.ts';
import type { OutsideClaims, OAuthProviders } from './oauth-providers.ts';
import { domainNotAllowed, maySignUp } from './policy.ts';
import type { Language } from '../../platform/messages/translate.ts';
import { oauthJoinedEmail } from './rules/emails.ts';
import { mayReturnTo } from './rules/return-address.ts';
import type { Sessions } from './sessions.ts';
import * as store from './store.ts';

type InputTo<E extends { input: z.ZodType }> = z.output<E['input']>;

const attemptLifeMs = 10 * minuteMs;
/** The state of the sign-in that a browser has begun, for as long as one lasts. */
const stateCookie = 'sameway-oauth';

/**
 * Signing in through an outside provider. An attempt is known by its state (in a browser) or its nonce (in a native
 * app), is taken once and lasts ten minutes. The provider is asked outside of every transaction.
 */
export function createOAuth(
  { env, clock, db, transact, outbox }: Platform,
  sessions: Sessions,
  providers: OAuthProviders,
) {
  /**
   * The account behind an outside identity, found or made. An identity that is new here joins an account only by an
   * e-mail that the provider has verified and that we have verified.
   */
  async function enter(
    claims: OutsideClaims,
    by: { provider: string; language: Language; nick: string; pushCid: string },
    origin: Origin,
  ): Promise<SessionUser> {
    return transact(async (tx) => {
      const knownId = await store.outsideUserId(tx, claims.issuer, claims.subject);
      const person = knownId === null ? await join(tx, claims, by) : await store.holdUser(tx, knownId);
      if (person === null) throw noUsableEmail(by.provider);
      const user = await sessions.open(tx, person, origin);
      if (by.pushCid !== '') await noteDevice(tx, person.id, by.pushCid, origin);
      return user;
    });
  }

  async function join(
    tx: Db,
    claims: OutsideClaims,
    by: { provider: string; language: Language; nick: string },
  ): Promise<store.UserRow> {
    const email = emailSchema.safeParse(claims.email ?? '');
    if (!email.success || !claims.emailVerified) throw noUsableEmail(by.provider);
    const found = await store.findUser(tx, { email: email.data });
    const person = found === null ? await make(tx, email.data, claims.name || by.nick, by.language) : found;
    if (person.emailVerifiedAt === null) throw noUsableEmail(by.provider);
    const { issuer, subject } = claims;
    const identity = { issuer, subject, userId: person.id, email: email.data, createdAt: clock.now() };
    await store.insertOutsideIdentity(tx, identity);
    if (found !== null)
      await outbox.post(tx, { to: found.email, ...oauthJoinedEmail(found.language, by.provider) });
    return (await store.holdUser(tx, person.id)) ?? person;
  }

  async function make(tx: Db, email: string, name: string, language: Language): Promise<store.UserRow> {
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
    // Somebody signed up with it in this very moment: the next try finds them.
    if (made === null) throw new Refusal('access.outsideExpired', 'Please start again.');
    await agreeToTerms(tx, made.id, now);
    return made;
  }

  async function noteDevice(tx: Db, userId: string, pushCid: string, origin: Origin): Promise<void> {
    const now = clock.now();
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

  return {
    providers: () => ({ providers: providers.list }),

    /** Refuses `access.providerUnknown`, `access.redirectRefused`, `access.providerAway`. */
    async start(
      input: InputTo<typeof access.oauthStart>,
      origin: Origin,
    ): Promise<OutputOf<typeof access.oauthStart>> {
      if (!mayReturnTo(input.redirect_uri, env.PUBLIC_URL))
        throw refuseField(
          'access.redirectRefused',
          'redirect_uri',
          'Sign-ins cannot come back to this address.',
        );
      const [state, nonce, verifier] = [newSecret(), newSecret(), newSecret()];
      const { provider, redirect_uri: redirectUri, language } = input;
      const authorizationUrl = await providers.begin(provider, {
        redirectUri,
        state,
        nonce,
        verifier,
        language,
      });
      await transact((tx) =>
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
      origin.cookies.keep(stateCookie, state, attemptLifeMs / 1000);
      return { authorizationUrl, state, nonce };
    },

    /** Refuses `access.outsideExpired` (unknown, taken or too old), `access.outsideRefused`, `access.outsideEmail`. */
    async login(input: InputTo<typeof access.oauthLogin>, origin: Origin): Promise<SessionUser> {
      const known = origin.cookies.read(stateCookie);
      // Without a state of its own the call is known by the browser that asked; one that is sent has to be the browser's.
      if (input.state !== '' && known !== '' && input.state !== known) throw expired();
      const state = input.state || known;
      const attempt = await store.takeAttempt(db, { stateHash: hashSecret(state) }, clock.now());
      origin.cookies.keep(stateCookie, '', 0);
      if (attempt === null || attempt.redirectUri !== input.redirect_uri) throw expired();
      const claims = await providers.trade(
        attempt.provider,
        { ...input, state, isFromCookie: input.state === '' },
        attempt,
      );
      const provider = providers.nameOf(attempt.provider);
      return enter(claims, { provider, language: attempt.language, nick: '', pushCid: '' }, origin);
    },

    /** The same with an id_token that a native app got, bound to the nonce of `start`. */
    async verify(input: InputTo<typeof access.verifyOutside>, origin: Origin): Promise<SessionUser> {
      const { id, nonce } = providers.peek(input.id_token);
      // Checked before the attempt is taken: a forged token must not end somebody's sign-in.
      const claims = await providers.verify(id, input.id_token, nonce);
      const attempt = await store.takeAttempt(db, { nonce }, clock.now());
      if (attempt?.provider !== id) throw expired();
      const by = { provider: providers.nameOf(id), language: attempt.language };
      return enter(claims, { ...by, nick: input.userNick, pushCid: input.pushCid }, origin);
    },
  };
}

const expired = () =>
  new Refusal('access.outsideExpired', 'This sign-in took too long or was used already. Please start again.');

const noUsableEmail = (provider: string) =>
  new Refusal(
    'access.outsideEmail',
    `${provider} has not verified your email, so it cannot sign you in. Please use your email instead.`,
    { data: { provider } },
  );
