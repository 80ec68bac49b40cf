import type { HoldStep } from '#contract/payments/views.ts';
import { needOf, nextStep, type AuthorizationFacts, type Step } from './next-step.ts';

const shown: Record<Exclude<Step, null>, HoldStep> = {
  place: 'place',
  confirm: 'place',
  find: 'read',
  read: 'read',
  capture: 'capture',
  cancel: 'release',
  refund: 'refund',
  replace: 'renew',
};

/**
 * The next step of an authorization that is not over, with its time; no time where it waits for a person, or
 * for the provider's answer.
 */
export function upcomingStep(
  authorization: AuthorizationFacts & { nextAt: Date | null; trouble: string | null },
  now: Date,
): { step: HoldStep; at: Date | null } {
  const { goal, state, nextAt, trouble } = authorization;
  const need = needOf(authorization);
  if (need !== null) return { step: need === 'driverAccount' ? 'driver' : 'passenger', at: null };
  if (trouble !== null && nextAt === null) return { step: 'admin', at: null };
  const step = nextStep(authorization, now);
  if (step !== null) return { step: shown[step], at: nextAt };
  // It rests until then.
  if (state !== 'requires_capture') return { step: 'read', at: nextAt };
  return goal === 'capture'
    ? { step: 'capture', at: authorization.captureAt ?? nextAt }
    : { step: 'renew', at: authorization.captureBefore ?? nextAt };
}
