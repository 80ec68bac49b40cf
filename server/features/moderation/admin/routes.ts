import * as calls from '#contract/admin/endpoints.ts';
import * as securityCalls from '#contract/admin/security.ts';
import type { App } from '../../../app-type.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import { listFeedback, readFeedback, answerFeedback } from './answer-feedback.ts';
import { listActions, listReadings } from './audit-entries.ts';
import { giveRole } from './give-role.ts';
import { listReports, handleReport } from './handle-report.ts';
import { setSuspended } from './suspend-user.ts';
import { listUsers } from './users.ts';

export function serveAdmin(serve: Serve, app: App): void {
  serve(calls.listUsers, (input, caller) => listUsers(app, caller.userId, input));
  serve(calls.suspendUser, (input, caller) => setSuspended(app, caller.userId, input));
  serve(calls.giveRole, (input, caller) => giveRole(app, caller, input));
  serve(calls.listFeedback, (input, caller) => listFeedback(app, caller.userId, input));
  serve(calls.readFeedback, (input, caller) => readFeedback(app, caller.userId, input.id));
  serve(calls.answerFeedback, (input, caller) => answerFeedback(app, caller.userId, input.id, input.answer));
  serve(calls.listReports, (input, caller) => listReports(app, caller.userId, input));
  serve(calls.handleReport, (input, caller) => handleReport(app, caller.userId, input.id, input.outcome));
  serve(calls.listAudit, (input, caller) => listActions(app, { ...input, viewerId: caller.userId }));
  serve(calls.listReadings, (input, caller) => listReadings(app, { ...input, viewerId: caller.userId }));
  serve(securityCalls.securityFigures, async () => ({ counts: await app.audit.securityFigures() }));
}
