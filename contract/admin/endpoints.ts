import { z } from 'zod';
import { reportReasons } from '../contacts/endpoints.ts';
import { defineEndpoint, hourSeconds } from '../define.ts';
import {
  feedbackLength,
  id,
  instant,
  metres,
  mostPerPage,
  offset,
  oneLine,
  reasonLength,
  words,
} from '../units.ts';
import { person } from '../user/endpoints.ts';
import { staffRoles } from './roles.ts';

const page = {
  offset,
  size: z.coerce.number().int().min(1).max(100).default(30),
};
const total = z.number().int();
const count = z.number().int();
const reason = words(reasonLength);

export const periods = ['day', 'week', 'month'] as const;
export type Period = (typeof periods)[number];

/** Figures of one day, week or month of the region. */
export const statisticsRow = z.object({
  /** Its first day, `2026-11-23`. */
  from: z.iso.date(),
  /** Accounts created. */
  people: count,
  /** Rides and requests published. */
  rides: count,
  requests: count,
  /** Bookings opened, by an ask or an invitation. */
  matches: count,
  /** Passengers who joined a ride, and those who were driven to the end. */
  joined: count,
  finished: count,
  /** Joined passengers who did not ride, by cause. */
  cancelledByDriver: count,
  cancelledByPassenger: count,
  missedByDriver: count,
  missedByPassenger: count,
  /** The distance shared: each passenger's drive once. */
  sharedMetres: metres,
  savedCo2Grams: z.number().int(),
  /** Authorized on cards, and captured less refunds. */
  authorizedCents: z.number().int(),
  capturedCents: z.number().int(),
  /** Driver licenses decided, and the median wait; null where none was decided. */
  licencesDecided: count,
  licenceWaitMinutes: z.number().int().nullable(),
});
export type StatisticsRow = z.output<typeof statisticsRow>;

export const statistics = defineEndpoint({
  method: 'GET',
  path: '/admin/statistics',
  who: 'admin',
  permission: 'figures.read',
  summary: 'Statistics for 30 days, 26 weeks or 12 months, and the current counts.',
  input: z.object({ by: z.enum(periods).default('day') }),
  output: z.object({
    timeZone: z.string(),
    now: z.object({
      people: count,
      suspended: count,
      openRides: count,
      openRequests: count,
      licencesWaiting: count,
      /** When the license that has waited longest was sent. */
      oldestLicenceSentAt: instant.nullable(),
    }),
    /** Without gaps, oldest first; the last period is still running. */
    rows: z.array(statisticsRow).max(mostPerPage),
  }),
  refusals: [],
});
export type Statistics = z.output<(typeof statistics)['output']>;

export const managedUser = z.object({
  person,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  createdAt: instant,
  /** An owner or an admin. */
  isAdmin: z.boolean(),
  /** Null for a person without a role on the team. */
  staffRole: z.enum(staffRoles).nullable(),
  suspendedAt: instant.nullable(),
  suspendedReason: z.string(),
});
export type ManagedUser = z.output<typeof managedUser>;

export const listUsers = defineEndpoint({
  method: 'GET',
  path: '/admin/users',
  who: 'admin',
  permission: 'people.read',
  summary: 'People whose name, email or phone number contains the text, the newest first.',
  input: z.object({
    text: oneLine(100).default(''),
    /** `admins`: everyone on the team. */
    only: z.enum(['all', 'suspended', 'admins']).default('all'),
    ...page,
  }),
  output: z.object({ users: z.array(managedUser).max(mostPerPage), total }),
  refusals: [],
});

export const suspendUser = defineEndpoint({
  method: 'POST',
  path: '/admin/suspend',
  who: 'admin',
  permission: 'people.suspend',
  summary:
    'Suspends a person: signs them out everywhere, emails them the reason and cancels their open rides. Or ends the suspension.',
  input: z.object({ id, suspended: z.boolean(), reason }),
  output: managedUser,
  refusals: ['admin.userNotFound', 'admin.reasonMissing', 'admin.notAdmins', 'admin.movedOn'],
});

export const giveRole = defineEndpoint({
  method: 'POST',
  path: '/admin/give-role',
  who: 'admin',
  permission: 'roles.give',
  stepUp: true,
  summary:
    'Gives a person a role on the team, changes it or takes it away. Only an owner can give or take the roles of owners and admins, and the last owner cannot lose the role.',
  limits: [{ countedAs: 'roles', per: 'caller', most: 60, withinSeconds: hourSeconds }],
  input: z.object({
    id,
    /** Null takes the role away. */
    role: z.enum(staffRoles).nullable(),
  }),
  output: managedUser,
  refusals: [
    'admin.userNotFound',
    'admin.roleTooHigh',
    'admin.lastOwner',
    'admin.accountUnfinished',
    'admin.movedOn',
  ],
});

export const feedbackMessage = z.object({
  id: z.string(),
  /** Null once the account is gone. */
  author: person.nullable(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
  sentAt: instant,
  readAt: instant.nullable(),
  answeredAt: instant.nullable(),
  answer: z.string(),
});
export type FeedbackMessage = z.output<typeof feedbackMessage>;

export const listFeedback = defineEndpoint({
  method: 'GET',
  path: '/admin/feedback',
  who: 'admin',
  permission: 'feedback.read',
  summary: 'Messages to the operator, the newest first; `open` are those nobody has read.',
  input: z.object({ only: z.enum(['all', 'open']).default('all'), ...page }),
  output: z.object({ messages: z.array(feedbackMessage).max(mostPerPage), total, open: count }),
  refusals: [],
});

export const readFeedback = defineEndpoint({
  method: 'POST',
  path: '/admin/read-feedback',
  who: 'admin',
  permission: 'feedback.answer',
  summary: 'Marks a message as read.',
  input: z.object({ id }),
  output: feedbackMessage,
  refusals: ['admin.feedbackNotFound'],
});

export const answerFeedback = defineEndpoint({
  method: 'POST',
  path: '/admin/answer-feedback',
  who: 'admin',
  permission: 'feedback.answer',
  summary: 'Answers a message by mail, once.',
  input: z.object({
    id,
    answer: words(feedbackLength).min(1, 'Please enter an answer.'),
  }),
  output: feedbackMessage,
  refusals: ['admin.feedbackNotFound', 'admin.noAuthor', 'admin.movedOn'],
});

/** Actions of admins. The words never change, because the log is stored for years. */
export const adminActions = [
  'license.accepted',
  'license.rejected',
  'user.suspended',
  'user.unsuspended',
  'feedback.read',
  'feedback.answered',
  'report.handled',
  'dispute.resolved',
  'chargeback.cleared',
  'chargeback.answered',
  'debt.writtenOff',
  'alarm.ended',
  'ride.brokenOff',
  'share.settled',
  'undelivered.again',
  'undelivered.dropped',
  'admin.granted',
  'admin.revoked',
  'maintenance.begun',
  'maintenance.ended',
  'factors.reset',
  'key.made',
  'key.revoked',
  'secret.rotated',
  'webhook.saved',
  'webhook.removed',
  'webhook.secretRenewed',
  'webhook.stopped',
  'group.mapped',
  'announcement.made',
  'announcement.ended',
  'ticket.assigned',
  'ticket.released',
  'ticket.answered',
  'ticket.noted',
  'ticket.closed',
  'ticket.reopened',
  'answer.saved',
  'answer.deleted',
] as const;
export type AdminAction = (typeof adminActions)[number];

export const auditEntry = z.object({
  id: z.number().int(),
  action: z.enum(adminActions),
  /** Null for the command line, and once the account is gone. */
  admin: person.nullable(),
  person: person.nullable(),
  note: z.string(),
  at: instant,
});
export type AuditEntry = z.output<typeof auditEntry>;

export const listAudit = defineEndpoint({
  method: 'GET',
  path: '/admin/audit',
  who: 'admin',
  permission: 'log.read',
  summary: 'Every action of an admin, the newest first.',
  input: z.object(page),
  output: z.object({ entries: z.array(auditEntry).max(mostPerPage), total }),
  refusals: [],
});

/** Lists of personal data that admins read; the words never change. */
export const adminReadings = [
  'users',
  'feedback',
  'reports',
  'tickets',
  'licenses',
  'disputes',
  'money',
  'holds',
  'interruptedRides',
  'undelivered',
  'settings',
] as const;
export type AdminReading = (typeof adminReadings)[number];

/** An admin's readings of one list within an hour. */
export const readingEntry = z.object({
  id: z.number().int(),
  /** Null once the account is gone. */
  admin: person.nullable(),
  list: z.enum(adminReadings),
  /** How often it was read, and of how many people. */
  times: count,
  peopleCount: count,
  /** Some of them. */
  people: z.array(person).max(mostPerPage),
  firstAt: instant,
  lastAt: instant,
});
export type ReadingEntry = z.output<typeof readingEntry>;

export const listReadings = defineEndpoint({
  method: 'GET',
  path: '/admin/readings',
  who: 'admin',
  permission: 'log.read',
  summary: 'Which team member viewed which people, once for each list and hour, the newest first.',
  input: z.object(page),
  output: z.object({ entries: z.array(readingEntry).max(mostPerPage), total }),
  refusals: [],
});

export const personReport = z.object({
  id: z.string(),
  /** Null for the app itself, and once the account is gone. */
  reporter: person.nullable(),
  subject: person.nullable(),
  /** Late cancellations are reported by the app. */
  reason: z.enum([...reportReasons, 'late cancellations']),
  words: z.string(),
  /** Stars and text of a reported review; empty where the report is about the person. */
  quote: z.string(),
  sentAt: instant,
  handledAt: instant.nullable(),
  outcome: z.string(),
  /** How many other reports about the same person there are. */
  others: count,
});
export type PersonReport = z.output<typeof personReport>;

export const listReports = defineEndpoint({
  method: 'GET',
  path: '/admin/reports',
  who: 'admin',
  permission: 'reports.read',
  summary:
    'Reports about people, but none about the caller, the newest first; `open` are those that are not handled yet.',
  input: z.object({ only: z.enum(['all', 'open']).default('open'), ...page }),
  output: z.object({ reports: z.array(personReport).max(mostPerPage), total, open: count }),
  refusals: [],
});

export const handleReport = defineEndpoint({
  method: 'POST',
  path: '/admin/handle-report',
  who: 'admin',
  permission: 'reports.handle',
  summary: 'Closes a report with what came of it, for the other admins.',
  input: z.object({ id, outcome: reason.min(1, 'Please enter what came of it.') }),
  output: personReport,
  refusals: ['admin.reportNotFound', 'admin.movedOn'],
});
