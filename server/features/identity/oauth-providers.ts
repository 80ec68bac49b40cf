import { createRemoteJWKSet, decodeJwt, errors as joseErrors, jwtVerify, type JWTPayload } from 'jose';
import * as oidc from 'openid-client';
import type { Env } from '../../platform/env.ts';
import { Refusal } from '../../platform/refusal.ts';

/** A provider's claims about a person, after all checks. */
export interface OAuthClaims {
  issuer: string;
  subject: string;
  /** Lowercase; null where the provider gives none. */
  email: string | null;
  emailVerified: boolean;
  name: string;
  /** The groups that the provider names; null if it names none, or the server does not read them. */
  groups: readonly string[] | null;
}

type Provider = Env['OIDC_PROVIDERS'][number];
type Keys = ReturnType<typeof createRemoteJWKSet>;

interface Known {
  config: oidc.Configuration;
  keys: Keys;
}

/** The provider's answer that the browser brought back. */
interface CodeAnswer {
  code: string;
  state: string;
  iss: string;
  /** The browser is identified only by its cookie: it sent no state. */
  isFromCookie: boolean;
}

/** The server's record of sending the browser to the provider. */
interface CodeAttempt {
  redirectUri: string;
  nonce: string;
  verifier: string;
}

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);
const waitSeconds = 10;
/** Accepted signature algorithms of id tokens; symmetric keys and `none` prove nothing. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

export type OAuthProviders = ReturnType<typeof createOAuthProviders>;

/** The sign-in providers of this installation: where to send people, and the checks of the answers. */
export function createOAuthProviders(env: Pick<Env, 'OIDC_PROVIDERS'>) {
  const known = new Map<string, Promise<Known>>();

  const find = (id: string): Provider => {
    const provider = env.OIDC_PROVIDERS.find((each) => each.id === id);
    if (provider === undefined)
      throw new Refusal('access.providerUnknown', 'You can’t sign in this way here.');
    return provider;
  };

  /** A provider's metadata, fetched once; a failed fetch is retried at the next call. */
  async function describe(provider: Provider): Promise<Known> {
    let reading = known.get(provider.id);
    if (reading === undefined) {
      reading = discover(provider);
      known.set(provider.id, reading);
    }
    try {
      return await reading;
    } catch (error) {
      known.delete(provider.id);
      throw away(provider.name, error);
    }
  }

  return {
    list: env.OIDC_PROVIDERS.map(({ id, name }) => ({ id, name })),

    nameOf: (id: string): string => find(id).name,

    /**
     * The address to send the browser to, with the values that must come back. Refuses
     * `access.providerUnknown`, `access.providerAway`.
     */
    async begin(
      id: string,
      to: { redirectUri: string; state: string; nonce: string; verifier: string; language: string },
    ): Promise<string> {
      const provider = find(id);
      const { config } = await describe(provider);
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: to.redirectUri,
        scope: provider.scope,
        state: to.state,
        nonce: to.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(to.verifier),
        code_challenge_method: 'S256',
        ui_locales: to.language,
      }).href;
    },

    /**
     * Exchanges a code for claims. Refuses `access.outsideRefused` for any invalid answer,
     * `access.providerAway`.
     */
    async trade(id: string, answer: CodeAnswer, attempt: CodeAttempt): Promise<OAuthClaims> {
      const provider = find(id);
      return tradeCode(provider, await describe(provider), answer, attempt);
    },

    /** The provider and the nonce that a token claims: neither is trusted until `verify`. */
    peek(idToken: string): { id: string; nonce: string } {
      try {
        const { iss, nonce } = decodeJwt(idToken);
        const provider = env.OIDC_PROVIDERS.find((each) => each.issuer === iss);
        if (provider === undefined || typeof nonce !== 'string') throw new Error('not ours');
        return { id: provider.id, nonce };
      } catch (error) {
        throw refusedAnswer(error);
      }
    },

    /**
     * Checks signature, issuer, audience, expiry and nonce. Refuses `access.outsideRefused`,
     * `access.providerAway`.
     */
    async verify(id: string, idToken: string, nonce: string): Promise<OAuthClaims> {
      const provider = find(id);
      return verifyToken(provider, await describe(provider), idToken, nonce);
    },
  };
}

/** @throws Error where the provider does not answer, or lists no keys. */
async function discover(provider: Provider): Promise<Known> {
  const issuer = new URL(provider.issuer);
  // Plain http is only for a provider on the same machine: in tests, and behind a proxy.
  const insecure = issuer.protocol === 'http:' && loopback.has(issuer.hostname);
  const config = await oidc.discovery(
    issuer,
    provider.clientId,
    {},
    provider.clientSecret === '' ? oidc.None() : oidc.ClientSecretPost(provider.clientSecret),
    { timeout: waitSeconds, execute: insecure ? [oidc.allowInsecureRequests] : [] },
  );
  // Otherwise the library skips the signature check of a token that came straight from the provider.
  oidc.enableNonRepudiationChecks(config);
  const address = config.serverMetadata().jwks_uri;
  if (address === undefined) throw new Error(`${provider.issuer} names no keys.`);
  return { config, keys: createRemoteJWKSet(new URL(address), { timeoutDuration: waitSeconds * 1000 }) };
}

async function tradeCode(
  provider: Provider,
  { config }: Known,
  answer: CodeAnswer,
  attempt: CodeAttempt,
): Promise<OAuthClaims> {
  const landed = new URL(attempt.redirectUri);
  landed.searchParams.set('code', answer.code);
  landed.searchParams.set('state', answer.state);
  // A browser identified by its cookie asked only this provider, so an answer without an issuer is this
  // one's.
  const iss = answer.iss === '' && answer.isFromCookie ? config.serverMetadata().issuer : answer.iss;
  if (iss !== '') landed.searchParams.set('iss', iss);
  try {
    const tokens = await oidc.authorizationCodeGrant(config, landed, {
      expectedState: answer.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('no id_token');
    const isWhole = claims['email'] !== undefined && saysGroups(claims, provider);
    if (isWhole || config.serverMetadata().userinfo_endpoint === undefined) return claimsOf(claims, provider);
    const more = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
    return claimsOf({ ...claims, ...more, iss: claims.iss, sub: claims.sub }, provider);
  } catch (error) {
    if (isAway(error)) throw away(provider.name, error);
    throw refusedAnswer(error);
  }
}

async function verifyToken(
  provider: Provider,
  { keys }: Known,
  idToken: string,
  nonce: string,
): Promise<OAuthClaims> {
  const clientIds = [provider.clientId, ...provider.phoneClientIds];
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer: provider.issuer,
      audience: clientIds,
      algorithms,
      clockTolerance: 30,
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    });
    if (payload['nonce'] !== nonce) throw new Error('another nonce');
    // A token for several audiences must name us as the authorized party.
    if (
      Array.isArray(payload.aud) &&
      payload.aud.length > 1 &&
      !clientIds.some((id) => id === payload['azp'])
    )
      throw new Error('another party');
    return claimsOf(payload, provider);
  } catch (error) {
    if (isAway(error)) throw away(provider.name, error);
    throw refusedAnswer(error);
  }
}

/** Whether a token names groups or the reason why not; true if the provider's groups are not read. */
const saysGroups = (claims: JWTPayload, { groupsClaim }: Provider): boolean =>
  groupsClaim === '' || claims[groupsClaim] !== undefined || claims['_claim_names'] !== undefined;

/** The groups in a token; null if they are too many for it, which the token says instead. */
function groupsIn(claims: JWTPayload, { groupsClaim }: Provider): readonly string[] | null {
  if (groupsClaim === '') return null;
  const named = claims[groupsClaim];
  if (named === undefined && claims['_claim_names'] !== undefined) return null;
  const all: readonly unknown[] = Array.isArray(named) ? named : [named];
  return all.filter((each) => typeof each === 'string' && each !== '' && each.length <= 200) as string[];
}

function claimsOf(claims: JWTPayload & { email?: unknown; name?: unknown }, provider: Provider): OAuthClaims {
  const { iss, sub, email, email_verified: verified, name } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string' || sub === '') throw new Error('no subject');
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' && email !== '' ? email.trim().toLowerCase() : null,
    // Some providers send a string.
    emailVerified: verified === true || verified === 'true',
    name: typeof name === 'string' ? name.trim().slice(0, 60) : '',
    groups: groupsIn(claims, provider),
  };
}

/** Whether the provider was unreachable, as opposed to a refused answer. */
function isAway(error: unknown): boolean {
  if (error instanceof joseErrors.JWKSTimeout) return true;
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof TypeError && each.message === 'fetch failed') return true;
    if (each.name === 'TimeoutError' || each.name === 'AbortError') return true;
  }
  return false;
}

const away = (name: string, cause: unknown) =>
  Object.assign(
    new Refusal('access.providerAway', `${name} does not answer at the moment. Please try again.`, {
      data: { provider: name },
    }),
    { cause },
  );

const refusedAnswer = (cause: unknown) =>
  Object.assign(
    new Refusal('access.outsideRefused', 'We couldn’t confirm this sign-in. Please start again.'),
    { cause },
  );
