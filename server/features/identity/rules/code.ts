import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { minuteMs } from '../../../platform/clock.ts';

export type CodePurpose = 'signup' | 'reset' | 'phone' | 'prove';

export const codeMinutes = 15;
export const codeLifeMs = codeMinutes * minuteMs;
/**
 * Tries from one network address; a larger limit covers all of them together, so that others elsewhere cannot
 * use a code up at once.
 */
export const codeTries = 5;
export const codeTriesInAll = 25;
export const resendAfterSeconds = 60;

/** Six random digits. */
export const newCode = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0');

/** The stored hash of a code. A plain hash of six digits is easily reversed, hence the installation's key. */
export const hashCode = (key: string, purpose: CodePurpose, to: string, code: string): string =>
  createHmac('sha256', key).update(`${purpose}:${to}:${code}`).digest('base64url');

export const sameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
