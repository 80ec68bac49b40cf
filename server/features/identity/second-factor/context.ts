import type { Platform } from '../../../platform/platform.ts';
import type { Codes } from '../codes.ts';
import type { Ceremonies } from './ceremonies.ts';

/** What the commands about second factors use. */
export interface FactorContext {
  platform: Platform;
  codes: Codes;
  ceremonies: Ceremonies;
}

/**
 * The clock that codes of authenticator apps are judged by. The demo's own clock may be moved; phones keep
 * the real time.
 */
export const codeClock = ({ env, clock }: Platform): Date => (env.DEMO ? new Date() : clock.now());
