import type { Platform } from '../../../platform/platform.ts';
import type { Codes } from '../codes.ts';
import type { Ceremonies } from './ceremonies.ts';

/** The dependencies of the commands for second factors. */
export interface FactorContext {
  platform: Platform;
  codes: Codes;
  ceremonies: Ceremonies;
}

/**
 * The clock for codes of authenticator apps. In the demo it is the real one, because phones do not follow the
 * demo's clock.
 */
export const codeClock = ({ env, clock }: Platform): Date => (env.DEMO ? new Date() : clock.now());
