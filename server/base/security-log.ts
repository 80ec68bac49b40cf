import type { Refusal } from './refusal.ts';
import type { Log } from './log.ts';

/** What an operator looks for after an attack; each is one line of the log. */
export type SecurityEvent =
  | 'signedIn'
  | 'signInFailed'
  | 'codeRefused'
  | 'tokenRefused'
  | 'forbidden'
  | 'rateLimited';

/** Calls that sign a person in. */
const signIns: readonly string[] = [
  '/access/login',
  '/access/verify-email',
  '/access/oauth-login',
  '/access/verify',
];

/** What a call's end means for security; null for nearly all of them. @param refusal null where it was answered. */
export function securityEventOf(
  path: string,
  refusal: Pick<Refusal, 'code' | 'reason'> | null,
): SecurityEvent | null {
  if (refusal === null) return signIns.includes(path) ? 'signedIn' : null;
  if (refusal.code === 429) return 'rateLimited';
  if (refusal.reason === 'access.codeWrong' || refusal.reason === 'access.codeExpired') return 'codeRefused';
  // Somebody without a session asks for a page now and then; a refresh token that is not known is another thing.
  if (path === '/access/refresh-token') return 'tokenRefused';
  if (signIns.includes(path) || refusal.reason === 'access.passwordWrong') return 'signInFailed';
  return refusal.code === 403 ? 'forbidden' : null;
}

/** Writes one line: what happened, on which call, from which network, by whom as far as that is known. Nothing typed. */
export function noteSecurity(
  log: Log,
  event: SecurityEvent,
  of: { path: string; reason?: string; network: string; userId: string | null },
): void {
  const line = { security: event, ...of };
  if (event === 'signedIn') log.info(line, 'security');
  else log.warn(line, 'security');
}
