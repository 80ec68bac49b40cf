import { answerFeedback, listFeedback, readFeedback } from './answer-feedback.ts';
import { listActions, listReadings } from './audit-entries.ts';
import type { AdminContext } from './context.ts';
import { giveRole } from './give-role.ts';
import { handleReport, listReports } from './handle-report.ts';
import { setSuspended, suspendByRules, takeBackOrders } from './suspend-user.ts';
import { listUsers } from './users.ts';

export type AdminService = ReturnType<typeof createAdmin>;

/** What admins see and do. Each action is logged in the transaction that makes it. */
export const createAdmin = (context: AdminContext) => ({
  users: listUsers.bind(null, context),
  setSuspended: setSuspended.bind(null, context),
  giveRole: giveRole.bind(null, context),
  suspendByRules: suspendByRules.bind(null, context),
  takeBackOrders: takeBackOrders.bind(null, context),
  feedback: listFeedback.bind(null, context),
  readFeedback: readFeedback.bind(null, context),
  answerFeedback: answerFeedback.bind(null, context),
  reports: listReports.bind(null, context),
  handleReport: handleReport.bind(null, context),
  audit: listActions.bind(null, context),
  readings: listReadings.bind(null, context),
  securityFigures: context.platform.audit.securityFigures,
});
