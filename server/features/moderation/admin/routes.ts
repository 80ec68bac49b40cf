import * as calls from '#contract/admin/endpoints.ts';
import * as securityCalls from '#contract/admin/security.ts';
import type { Serve } from '../../../app-type.ts';
import { listFeedback, readFeedback, answerFeedback } from './answer-feedback.ts';
import { listActions, listReadings, giveRole, listUsers } from './users-and-roles.ts';
import { listReports, handleReport } from './handle-report.ts';
import { setSuspended } from './suspend-user.ts';

export function serveAdmin(serve: Serve): void {
  serve(calls.listUsers, (app, input, caller) => listUsers(app, caller.userId, input));
  serve(calls.suspendUser, (app, input, caller) => setSuspended(app, caller.userId, input));
  serve(calls.giveRole, (app, input, caller) => giveRole(app, caller, input));
  serve(calls.listFeedback, (app, input, caller) => listFeedback(app, caller.userId, input));
  serve(calls.readFeedback, (app, input, caller) => readFeedback(app, caller.userId, input.id));
  serve(calls.answerFeedback, (app, input, caller) =>
    answerFeedback(app, caller.userId, input.id, input.answer),
  );
  serve(calls.listReports, (app, input, caller) => listReports(app, caller.userId, input));
  serve(calls.handleReport, (app, input, caller) =>
    handleReport(app, caller.userId, input.id, input.outcome),
  );
  serve(calls.listAudit, (app, input, caller) => listActions(app, { ...input, viewerId: caller.userId }));
  serve(calls.listReadings, (app, input, caller) => listReadings(app, { ...input, viewerId: caller.userId }));
  serve(securityCalls.securityFigures, async (app) => ({ counts: await app.audit.securityFigures() }));
}
