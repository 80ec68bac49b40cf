import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, AuthenticatorTransport } from '@simplewebauthn/server';
import type { NewPasskey, PasskeySignature } from '#contract/access/second-factor.ts';
import type { App } from '../../../app-type.ts';
import { later, minuteMs } from '../../../platform/clock.ts';
import type { Env } from '../../../platform/env.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { UserRow } from '../store.ts';
import * as store from './store.ts';

const challengeLifeMs = 5 * minuteMs;

/** Loaded with the first passkey: it takes a quarter of a second, which would delay the start. */
const webauthn = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256, which all common authenticators support. */
const algorithms = [-8, -7, -257] as const;

/** The options for the browser, and the id of the challenge that its answer must refer to. */
interface Ceremony {
  challengeId: string;
  options: { challenge: string };
}

/** A passkey as stored. */
export interface MadePasskey {
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string;
  isBackedUp: boolean;
}

/** The host name that passkeys belong to; null if this installation's address has none. */
export function passkeyHost({ publicUrl }: Pick<Env, 'publicUrl'>): string | null {
  const { hostname } = new URL(publicUrl);
  // Browsers create no passkeys for an IP address, except localhost.
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? hostname : null;
}

type SignPurpose = Exclude<store.ChallengePurpose, 'enroll'>;

function requirePasskeyHost({ env }: App): string {
  const host = passkeyHost(env);
  if (host === null)
    throw new Refusal('factor.noPasskeys', 'Passkeys work only if this server has a domain name.');
  return host;
}

async function keepChallenge(
  { db, clock }: App,
  options: { challenge: string },
  purpose: store.ChallengePurpose,
  userId: string | null,
): Promise<Ceremony> {
  const challengeId = randomUUID();
  const { challenge } = options;
  const expiresAt = later(clock.now(), challengeLifeMs);
  await store.insertChallenge(db, { id: challengeId, purpose, userId, challenge, expiresAt });
  return { challengeId, options };
}

/** The options with which a browser creates a passkey. Refuses `factor.noPasskeys`. */
export async function enrollmentOptions(
  app: App,
  { id, email, name }: UserRow,
  known: readonly store.PasskeyRow[],
): Promise<Ceremony> {
  const options = await (
    await webauthn()
  ).generateRegistrationOptions({
    rpName: 'Sameway',
    rpID: requirePasskeyHost(app),
    userID: Uint8Array.from(Buffer.from(id.replaceAll('-', ''), 'hex')),
    userName: email,
    userDisplayName: name,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: transports.split(',').filter(Boolean),
    })),
    supportedAlgorithmIDs: [...algorithms],
    // A discoverable passkey with user verification can sign in by itself.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return keepChallenge(app, options, 'enroll', id);
}

/**
 * The options with which a browser signs with a passkey. Refuses `factor.noPasskeys`.
 * @param known the passkeys of a known person; empty if the passkey itself identifies the person.
 */
export async function signingOptions(
  app: App,
  purpose: SignPurpose,
  userId: string | null,
  known: readonly store.PasskeyRow[] = [],
): Promise<Ceremony> {
  const options = await (
    await webauthn()
  ).generateAuthenticationOptions({
    rpID: requirePasskeyHost(app),
    userVerification: 'required',
    allowCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: transports.split(',').filter(Boolean) as AuthenticatorTransport[],
    })),
  });
  return keepChallenge(app, options, purpose, userId);
}

/** Verifies a passkey that a browser created. Refuses `factor.expired`, `factor.passkeyRefused`. */
export async function checkNewPasskey(
  app: App,
  userId: string,
  challengeId: string,
  passkey: NewPasskey,
): Promise<MadePasskey> {
  const { db, clock } = app;
  const challenge = await store.takeChallenge(
    db,
    { id: challengeId, purpose: 'enroll', userId },
    clock.now(),
  );
  if (challenge === null) throw expired();
  const { registrationInfo } = await (
    await webauthn()
  )
    .verifyRegistrationResponse({
      response: { ...passkey, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: new URL(app.env.publicUrl).origin,
      expectedRPID: requirePasskeyHost(app),
      supportedAlgorithmIDs: [...algorithms],
    })
    .catch(() => ({ registrationInfo: undefined }));
  if (registrationInfo === undefined) throw passkeyRefused();
  const { credential, credentialBackedUp } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: (passkey.response.transports ?? []).filter((each) => /^[\w-]+$/.test(each)).join(','),
    isBackedUp: credentialBackedUp,
  };
}

/**
 * Verifies a signed challenge and returns the passkey with its new counter. Refuses `factor.expired`, and
 * `factor.passkeyRefused` for a passkey that is unknown or another person's, and for a wrong signature.
 */
export async function checkPasskeySignature(
  app: App,
  purpose: SignPurpose,
  userId: string | null,
  { challengeId, passkey }: { challengeId: string; passkey: PasskeySignature },
): Promise<store.PasskeyRow> {
  const { db, clock } = app;
  const challenge = await store.takeChallenge(db, { id: challengeId, purpose, userId }, clock.now());
  if (challenge === null) throw expired();
  const known = await store.findPasskey(db, passkey.id);
  if (known === null || (userId !== null && known.userId !== userId)) throw passkeyRefused();
  const { verified, authenticationInfo } = await (
    await webauthn()
  )
    .verifyAuthenticationResponse({
      response: { ...passkey, clientExtensionResults: {} } as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: new URL(app.env.publicUrl).origin,
      expectedRPID: requirePasskeyHost(app),
      credential: {
        id: known.credentialId,
        publicKey: Uint8Array.from(Buffer.from(known.publicKey, 'base64url')),
        counter: known.counter,
      },
    })
    .catch(() => ({ verified: false, authenticationInfo: undefined }));
  if (!verified || authenticationInfo === undefined) throw passkeyRefused();
  const { newCounter, credentialBackedUp } = authenticationInfo;
  return { ...known, counter: newCounter, isBackedUp: credentialBackedUp };
}

export const expired = () =>
  new Refusal('factor.expired', 'This took too long or is already done. Please start again.');
export const passkeyRefused = () => new Refusal('factor.passkeyRefused', 'This passkey doesn’t work here.');
