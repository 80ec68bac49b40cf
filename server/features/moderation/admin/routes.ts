import * as calls from '#contract/admin/endpoints.ts';
import * as securityCalls from '#contract/admin/security.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import type { AdminService } from './service.ts';

export function serveAdmin(serve: Serve, admin: AdminService): void {
  serve(calls.listUsers, (input, caller) => admin.users(caller.userId, input));
  serve(calls.suspendUser, (input, caller) => admin.setSuspended(caller.userId, input));
  serve(calls.giveRole, (input, caller) => admin.giveRole(caller, input));
  serve(calls.listFeedback, (input, caller) => admin.feedback(caller.userId, input));
  serve(calls.readFeedback, (input, caller) => admin.readFeedback(caller.userId, input.id));
  serve(calls.answerFeedback, (input, caller) => admin.answerFeedback(caller.userId, input.id, input.answer));
  serve(calls.listReports, (input, caller) => admin.reports(caller.userId, input));
  serve(calls.handleReport, (input, caller) => admin.handleReport(caller.userId, input.id, input.outcome));
  serve(calls.listAudit, (input, caller) => admin.audit({ ...input, viewerId: caller.userId }));
  serve(calls.listReadings, (input, caller) => admin.readings({ ...input, viewerId: caller.userId }));
  serve(securityCalls.securityFigures, async () => ({ counts: await admin.securityFigures() }));
}
