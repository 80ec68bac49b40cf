import * as calls from '#contract/admin/endpoints.ts';
import * as securityCalls from '#contract/admin/security.ts';
import * as announcementCalls from '#contract/announcements/endpoints.ts';
import * as feedbackCalls from '#contract/feedback/endpoints.ts';
import * as ticketCalls from '#contract/tickets/endpoints.ts';
import type { Serve } from '../../app-type.ts';
import { listFeedback, readFeedback, answerFeedback } from './admin/answer-feedback.ts';
import { listReports, handleReport } from './admin/handle-report.ts';
import { setSuspended } from './admin/suspend-user.ts';
import { listActions, listReadings, giveRole, listUsers } from './admin/users-and-roles.ts';
import {
  currentAnnouncements,
  listAnnouncements,
  publishAnnouncement,
  takeDownAnnouncement,
} from './announcements/announce.ts';
import { listCannedAnswers, saveCannedAnswer, removeCannedAnswer } from './canned-answers/canned-answers.ts';
import { writeAppeal, writeFeedback } from './feedback/write-feedback.ts';
import { readStatistics } from './statistics/read-statistics.ts';
import { answerTicket, noteTicket, closeTicket, reopenTicket } from './tickets/answer-ticket.ts';
import { listOwn, readOwn, replyToTeam } from './tickets/own-tickets.ts';
import { readerOf } from './tickets/policy.ts';
import { listAssignees, listTickets, readTicket, workOnTicket } from './tickets/team-tickets.ts';
import { assignTicket } from './tickets/ticket-deeds.ts';

export function serveModeration(serve: Serve): void {
  serveAdmin(serve);
  serveAnnouncements(serve);
  serveFeedback(serve);
  serveStatistics(serve);
  serveTickets(serve);
  serveCannedAnswers(serve);
}

function serveAdmin(serve: Serve): void {
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

function serveAnnouncements(serve: Serve): void {
  serve(announcementCalls.currentAnnouncements, async (app, _input, caller) => ({
    announcements: await currentAnnouncements(app, caller?.userId ?? null),
  }));
  serve(announcementCalls.listAnnouncements, async (app) => ({
    announcements: await listAnnouncements(app),
  }));
  serve(announcementCalls.announce, (app, input, caller) => publishAnnouncement(app, caller.userId, input));
  serve(announcementCalls.endAnnouncement, (app, input, caller) =>
    takeDownAnnouncement(app, caller.userId, input.id),
  );
}

function serveFeedback(serve: Serve): void {
  serve(feedbackCalls.appeal, (app, input) => writeAppeal(app, input));
  serve(feedbackCalls.postFeedback, (app, input, caller) => writeFeedback(app, caller.userId, input));
}

const serveStatistics = (serve: Serve): void =>
  serve(calls.statistics, (app, input) => readStatistics(app, input.by));

function serveTickets(serve: Serve): void {
  serve(ticketCalls.ownTickets, async (app, _input, caller) => ({
    tickets: await listOwn(app, caller.userId),
  }));
  serve(ticketCalls.readOwnTicket, (app, input, caller) => readOwn(app, caller.userId, input.id));
  serve(ticketCalls.replyToTeam, (app, input, caller) => replyToTeam(app, caller.userId, input));
  serve(ticketCalls.listTickets, (app, input, caller) => listTickets(app, readerOf(caller), input));
  serve(ticketCalls.readTicket, (app, input, caller) => readTicket(app, readerOf(caller), input.id));
  serve(ticketCalls.ticketAssignees, async (app, input, caller) => ({
    people: await listAssignees(app, readerOf(caller), input.id),
  }));
  serve(ticketCalls.assignTicket, (app, input, caller) => workOnTicket(app, assignTicket, caller, input));
  serve(ticketCalls.answerTicket, (app, input, caller) => workOnTicket(app, answerTicket, caller, input));
  serve(ticketCalls.noteTicket, (app, input, caller) => workOnTicket(app, noteTicket, caller, input));
  serve(ticketCalls.closeTicket, (app, input, caller) => workOnTicket(app, closeTicket, caller, input));
  serve(ticketCalls.reopenTicket, (app, input, caller) => workOnTicket(app, reopenTicket, caller, input));
}

function serveCannedAnswers(serve: Serve): void {
  serve(ticketCalls.listCannedAnswers, async (app) => ({ answers: await listCannedAnswers(app) }));
  serve(ticketCalls.saveCannedAnswer, (app, input, caller) => saveCannedAnswer(app, caller.userId, input));
  serve(ticketCalls.deleteCannedAnswer, (app, input, caller) =>
    removeCannedAnswer(app, caller.userId, input.id),
  );
}
