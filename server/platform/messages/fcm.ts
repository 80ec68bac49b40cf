import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import type { Pushed } from '#contract/notifications/push-message.ts';
import type { Env } from '../env.ts';
import type { Carry } from './push-devices.ts';

const timeoutMs = 10_000;
const scope = 'https://www.googleapis.com/auth/firebase.messaging';
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** A token is renewed this long before it ends, so that it does not end on the way. */
const renewAheadMs = 5 * 60_000;

const granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
/** Firebase's own code among the details of an error; those of other types have no code. */
const refused = z.object({
  error: z.object({ details: z.array(z.object({ errorCode: z.string().default('') })).default([]) }),
});
/**
 * Codes that are about the phone's token alone: the app was removed, belongs to another project, or the token
 * was never one. A message that is wrong in itself has no code of Firebase's.
 */
const endedCodes = new Set(['UNREGISTERED', 'SENDER_ID_MISMATCH', 'INVALID_ARGUMENT']);

type ServiceAccount = NonNullable<Env['FCM_SERVICE_ACCOUNT']>;

/**
 * Push messages to Android by Firebase Cloud Messaging's HTTP v1 API, signed in as a service account; null
 * where none is configured.
 */
export function createFcm({
  FCM_SERVICE_ACCOUNT: account,
  FCM_URL: url,
}: Pick<Env, 'FCM_SERVICE_ACCOUNT' | 'FCM_URL'>): Carry | null {
  if (account === undefined) return null;
  const signIn = createSignIn(account);
  const address = new URL(`/v1/projects/${account.project_id}/messages:send`, url);

  return async ({ endpoint: token }, { text, seconds, urgent }) => {
    const { title, body, tag, path, unread } = JSON.parse(text) as Pushed;
    const message = {
      token,
      notification: { title, body },
      data: { path, tag },
      android: {
        priority: urgent ? 'HIGH' : 'NORMAL',
        ttl: `${seconds}s`,
        notification: { tag, channel_id: 'news', notification_count: unread },
      },
    };
    const response = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${await signIn.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = await response.text();
    if (response.ok) return 'taken';
    if (isEnded(answer)) return 'ended';
    if (response.status === 401) signIn.forget();
    throw new Error(`Firebase Cloud Messaging answered ${response.status}.`);
  };
}

function isEnded(answer: string): boolean {
  try {
    const { error } = refused.parse(JSON.parse(answer));
    return error.details.some(({ errorCode }) => endedCodes.has(errorCode));
  } catch {
    // A proxy's page instead of Firebase's answer says nothing of the phone.
    return false;
  }
}

/**
 * Trades a signed statement of the account for an access token (RFC 7523), cached until shortly before it
 * ends.
 */
function createSignIn(account: ServiceAccount): { token: () => Promise<string>; forget: () => void } {
  let kept: Promise<{ token: string; endsAtMs: number }> | null = null;
  const forget = () => (kept = null);
  return {
    forget,
    async token() {
      const last = await kept?.catch(() => null);
      if (!last || last.endsAtMs - renewAheadMs <= Date.now()) kept = trade(account);
      try {
        return (await kept!).token;
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}

async function trade(account: ServiceAccount): Promise<{ token: string; endsAtMs: number }> {
  const statement = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(account.client_email)
    .setAudience(account.token_uri)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(await importPKCS8(account.private_key, 'RS256'));
  const response = await fetch(account.token_uri, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: grantType, assertion: statement }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`Google’s sign-in of the service account answered ${response.status}.`);
  }
  const { access_token: token, expires_in: seconds } = granted.parse(await response.json());
  return { token, endsAtMs: Date.now() + seconds * 1000 };
}
