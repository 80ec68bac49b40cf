import { sql, type SQL } from 'drizzle-orm';
import { bindCommand } from '../bind-command.ts';
import { isSecured } from '../rules/next-step.ts';
import type { AuthorizationContext } from './context.ts';
import { createEndTestMoney } from './end-test-money.ts';
import { followRide } from './follow-ride.ts';
import { payBooking } from './pay-booking.ts';
import { planAuthorization, repriceAuthorization } from './plan-authorization.ts';
import { readBeforeEnd } from './read-before-end.ts';
import { readPayment } from './record-payment.ts';
import { replaceRefused } from './replace-authorization.ts';
import { resumeAuthorization, settleAuthorization } from './settle.ts';
import { isAnyAuthorizationDue, type AuthorizationRow } from './store.ts';
import { createWorker } from './worker.ts';

export type Authorizations = ReturnType<typeof createAuthorizations>;

/**
 * The life of authorizations. What is wanted is written in the transactions of those who want it (`plan`,
 * `settle`); what the provider is asked happens afterwards (`work`, `workOn`), each step with a key of its
 * own, so that a crash or a lost answer repeats a step without doing it twice; and what the provider says is
 * written with its lines in the ledger (`recordPayment`), whether it came in the answer, by a webhook, or by
 * reading.
 */
export function createAuthorizations(context: AuthorizationContext) {
  const { work, workOn } = createWorker(context);
  const { endTestMoney, isLeft } = createEndTestMoney(context);
  return {
    plan: bindCommand(context, planAuthorization),
    reprice: bindCommand(context, repriceAuthorization),
    settle: bindCommand(context, settleAuthorization),
    resume: bindCommand(context, resumeAuthorization),
    follow: bindCommand(context, followRide),
    replaceRefused: bindCommand(context, replaceRefused),
    pay: bindCommand({ ...context, workOn }, payBooking),
    read: (authorization: AuthorizationRow) => readPayment(context, authorization),
    readBeforeEnd: bindCommand({ ...context, workOn }, readBeforeEnd),
    /** Whether what a booking costs is authorized, or will be on a card that is saved. */
    isSecured: (authorization: AuthorizationRow) => isSecured(authorization, context.platform.clock.now()),
    work,
    workOn,
    endTestMoney,
    isDue: (now: Date): SQL => sql`${isLeft()}::boolean or ${isAnyAuthorizationDue(now)}`,
  };
}
