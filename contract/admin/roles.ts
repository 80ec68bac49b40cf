/** The roles on the team, the most powerful first. Never rename one. */
export const staffRoles = ['owner', 'admin', 'moderator', 'reviewer', 'support', 'auditor'] as const;
export type StaffRole = (typeof staffRoles)[number];

/**
 * The permissions of the admin area: each call names the one that it needs, and only this table gives
 * permissions to roles.
 */
const rolesByPermission = {
  'figures.read': ['owner', 'admin', 'auditor'],
  'people.read': ['owner', 'admin', 'moderator', 'support'],
  'people.suspend': ['owner', 'admin', 'moderator'],
  'roles.give': ['owner', 'admin'],
  'feedback.read': ['owner', 'admin', 'support'],
  'feedback.answer': ['owner', 'admin', 'support'],
  'reports.read': ['owner', 'admin', 'moderator'],
  'reports.handle': ['owner', 'admin', 'moderator'],
  // Of which kinds, the four above say: `moderation/tickets/policy.ts`.
  'tickets.read': ['owner', 'admin', 'moderator', 'support'],
  'tickets.answer': ['owner', 'admin', 'moderator', 'support'],
  'answers.write': ['owner', 'admin', 'moderator', 'support'],
  'licenses.read': ['owner', 'admin', 'reviewer'],
  'licenses.decide': ['owner', 'admin', 'reviewer'],
  'disputes.read': ['owner', 'admin', 'support'],
  'disputes.decide': ['owner', 'admin'],
  'money.read': ['owner', 'admin', 'auditor'],
  'money.settle': ['owner', 'admin'],
  'rides.read': ['owner', 'admin', 'support'],
  'rides.end': ['owner', 'admin', 'support'],
  'deliveries.read': ['owner', 'admin'],
  'deliveries.repeat': ['owner', 'admin'],
  'log.read': ['owner', 'admin', 'auditor'],
  'settings.read': ['owner', 'admin', 'auditor'],
  'maintenance.change': ['owner', 'admin'],
  'keys.manage': ['owner', 'admin'],
  'webhooks.manage': ['owner', 'admin'],
  'people.provision': ['owner', 'admin'],
  'announcements.write': ['owner', 'admin', 'moderator'],
} as const satisfies Record<string, readonly StaffRole[]>;

export type Permission = keyof typeof rolesByPermission;
export const permissions = Object.keys(rolesByPermission) as Permission[];

/** Whether a role has a permission; a person without a role has none. */
export const isPermitted = (role: StaffRole | null, permission: Permission): boolean =>
  role !== null && (rolesByPermission[permission] as readonly StaffRole[]).includes(role);

/** Roles that only an owner gives and takes. */
const givenByOwners: readonly StaffRole[] = ['owner', 'admin'];

/**
 * Whether a team member may change another person's role. An owner changes any role; another member with
 * `roles.give` changes the roles below their own.
 */
export const mayChangeRole = (
  giver: StaffRole | null,
  { from, to }: { from: StaffRole | null; to: StaffRole | null },
): boolean =>
  isPermitted(giver, 'roles.give') &&
  (giver === 'owner' || ![from, to].some((role) => role !== null && givenByOwners.includes(role)));
