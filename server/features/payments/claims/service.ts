import { bindCommand } from '../bind-command.ts';
import { answerClaim } from './answer-claim.ts';
import { closeMootClaim } from './close-moot-claim.ts';
import type { ClaimContext } from './context.ts';
import { contestFare, decideBy } from './contested-fare.ts';
import { listClaims } from './list-claims.ts';
import { openClaim } from './open-claim.ts';
import { cancelUndecided, settlePartWayFare } from './part-way-fare.ts';
import { resolveClaim } from './resolve-claim.ts';
import { isAnyUndecided } from './store.ts';

/** A passenger objects to what was captured or will be; the driver tells their side; an admin decides. */
export const createClaims = (context: ClaimContext) => ({
  open: bindCommand(context, openClaim),
  answer: bindCommand(context, answerClaim),
  resolve: bindCommand(context, resolveClaim),
  list: bindCommand(context, listClaims),
  contest: bindCommand(context, contestFare),
  closeMoot: bindCommand(context, closeMootClaim),
  decideBy: bindCommand(context, decideBy),
  settlePartWay: bindCommand(context, settlePartWayFare),
  cancelUndecided: bindCommand(context, cancelUndecided),
  isDue: isAnyUndecided,
});
