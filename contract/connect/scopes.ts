import type { Permission } from '../admin/roles.ts';
import type { Endpoint } from '../define.ts';

/**
 * What an API key may do as the person it acts for: groups of calls, by the first word of their path. A call
 * whose first word is in none of these groups is for no key.
 */
const nounsOf = {
  rides: ['order', 'series'],
  places: ['address'],
  alerts: ['alert'],
  vehicles: ['car'],
  contacts: ['contact', 'tag'],
  routes: ['discover'],
  events: ['event'],
  chat: ['im'],
  reviews: ['review'],
  notifications: ['notification'],
  profile: ['user'],
  pictures: ['upload'],
  feedback: ['feedback'],
} as const satisfies Record<string, readonly string[]>;
type Group = keyof typeof nounsOf;

/** First words of calls that no key makes: money, signing in, a new installation, the demo’s clock. */
export const nounsWithoutKeys: readonly string[] = ['access', 'payment', 'setup', 'demo'];

/** Every key is told what this installation is, and what its operator announces. */
const nounsOfEveryKey: readonly string[] = ['app', 'announcement'];

/**
 * Whether a call of the team that needs a permission may be made with a key. Never what decides about money,
 * identity papers, rights, or what leaves the installation.
 */
const isForKeys = {
  'figures.read': true,
  'people.read': true,
  'people.suspend': true,
  'roles.give': false,
  'feedback.read': true,
  'feedback.answer': true,
  'reports.read': true,
  'reports.handle': true,
  'licenses.read': false,
  'licenses.decide': false,
  'disputes.read': false,
  'disputes.decide': false,
  'money.read': false,
  'money.settle': false,
  'rides.read': true,
  'rides.end': false,
  'deliveries.read': true,
  'deliveries.repeat': true,
  'log.read': true,
  'settings.read': true,
  'maintenance.change': true,
  'keys.manage': false,
  'webhooks.manage': false,
  // A directory speaks SCIM, which has a scope of its own.
  'people.provision': false,
  'announcements.write': false,
} as const satisfies Record<Permission, boolean>;
export type TeamScope = {
  [P in Permission]: (typeof isForKeys)[P] extends true ? P : never;
}[Permission];

/** Asking for a seat and answering commits a person to a fare: a scope of its own beside `rides:write`. */
const bookingCalls: readonly string[] = [
  '/order/request',
  '/order/invite',
  '/order/accept',
  '/order/reject',
  '/order/withdraw',
  '/order/waitlist',
  '/order/propose-change',
  '/order/answer-change',
];

/**
 * Calls of these groups that no key makes: steps of the day of a ride, which prove that a person was there;
 * the emergency button; papers, phone numbers and devices; a whole account; links that carry their own right.
 */
const neverByKey: readonly string[] = [
  '/order/reach',
  '/order/depart',
  '/order/pickup',
  '/order/confirm-meeting',
  '/order/arrive',
  '/order/pass-stop',
  '/order/break-off',
  '/order/no-show',
  '/order/contact-attempt',
  '/order/report-driver',
  '/order/took-place',
  '/order/location',
  '/order/boarding-key',
  '/order/boarding-pass',
  '/order/sos',
  '/contact/qrcode',
  '/contact/scan',
  '/notification/connect-device',
  '/notification/connect-phone',
  '/notification/disconnect-device',
  '/notification/disconnect-phone',
  '/notification/unsubscribe',
  '/user/create',
  '/user/register-device',
  '/user/export',
  '/user/delete-account',
  '/user/cancel-delete',
  '/user/latest-driver-license',
  '/user/save-driver-license',
  '/user/trusted-contact',
  '/user/save-trusted-contact',
  '/feedback/appeal',
];

type PersonalScope = `${Exclude<Group, 'pictures' | 'feedback'>}:read` | `${Exclude<Group, 'routes'>}:write`;
/** What a directory manages people with: no call of the contract, but `/scim/v2`. */
const directoryScope = 'scim';
export type Scope = PersonalScope | 'bookings:write' | TeamScope | typeof directoryScope;

/** Scopes of what the app does for a person. */
const personalScopes = [
  'rides:read',
  'rides:write',
  'bookings:write',
  'places:read',
  'places:write',
  'alerts:read',
  'alerts:write',
  'vehicles:read',
  'vehicles:write',
  'contacts:read',
  'contacts:write',
  'routes:read',
  'events:read',
  'events:write',
  'chat:read',
  'chat:write',
  'reviews:read',
  'reviews:write',
  'notifications:read',
  'notifications:write',
  'profile:read',
  'profile:write',
  'pictures:write',
  'feedback:write',
] as const satisfies readonly (PersonalScope | 'bookings:write')[];

/** Scopes of the admin area: the permissions of the person’s role that a key may have. */
const teamScopes = (Object.keys(isForKeys) as Permission[]).filter(
  (each): each is TeamScope => isForKeys[each],
);

export const scopes: readonly Scope[] = [...personalScopes, ...teamScopes, directoryScope];
export const isTeamScope = (scope: Scope): scope is TeamScope => teamScopes.some((each) => each === scope);
export const isScope = (text: string): text is Scope => scopes.some((each) => each === text);

/** The permission that a person’s role must have for a key of theirs to have a scope; null for none. */
export const permissionOfScope = (scope: Scope): Permission | null =>
  scope === directoryScope ? 'people.provision' : (teamScopes.find((each) => each === scope) ?? null);

/** What a key needs for a call: one scope; nothing (`any`); or it is for no key (`never`). */
export type KeyNeed = Scope | 'any' | 'never';

/** What a key needs for a call. What is not named here is for no key. */
export function keyNeedOf({
  method,
  path,
  permission,
  stepUp,
}: Pick<Endpoint, 'method' | 'path' | 'permission' | 'stepUp'>): KeyNeed {
  if (stepUp === true || neverByKey.includes(path)) return 'never';
  if (permission !== undefined) return teamScopes.find((each) => each === permission) ?? 'never';
  if (bookingCalls.includes(path)) return 'bookings:write';
  const noun = path.split('/')[1] ?? '';
  if (nounsOfEveryKey.includes(noun)) return 'any';
  const group = (Object.keys(nounsOf) as Group[]).find((each) =>
    (nounsOf[each] as readonly string[]).includes(noun),
  );
  const scope = `${group}:${method === 'GET' ? 'read' : 'write'}`;
  return isScope(scope) ? scope : 'never';
}
