import type { Permission } from '../admin/roles.ts';
import type { Endpoint } from '../define.ts';

/**
 * The groups of calls that scopes cover, by the first word of the path. The server refuses a call with an API
 * key if its first word is in none of these groups.
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

/** First words of calls that refuse every key: money, sign-in, setup, the demo’s clock. */
export const nounsWithoutKeys: readonly string[] = ['access', 'payment', 'setup', 'demo'];

/** Calls that every key can make: the configuration of this installation, and announcements. */
const nounsOfEveryKey: readonly string[] = ['app', 'announcement'];

/**
 * Whether a key can have a permission of the team as its scope. Keys never decide about money, identity
 * documents, roles, or where data is sent.
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
  // Its answers depend on the person's role, not on the key's scopes.
  'tickets.read': false,
  'tickets.answer': false,
  'answers.write': false,
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
  // A directory uses SCIM, which has its own scope.
  'people.provision': false,
  'announcements.write': false,
} as const satisfies Record<Permission, boolean>;
export type TeamScope = {
  [P in Permission]: (typeof isForKeys)[P] extends true ? P : never;
}[Permission];

/** These calls commit a person to a fare, so they need their own scope instead of `rides:write`. */
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
 * Changes of a person's own orders, which `rides:write` covers. All others refuse every key: the steps during
 * a ride prove that a person was there, as the emergency button does.
 */
const orderChanges: readonly string[] = [
  '/order/create',
  '/order/update',
  '/order/create-return',
  '/order/cancel',
  '/order/share',
  '/order/stop-sharing',
  '/order/make-link',
  '/order/open-link',
];

/**
 * Calls of these groups that refuse every key: what shows that a person is there; identity documents, phone
 * numbers and devices; the account as a whole; links that carry their own permission.
 */
const neverByKey: readonly string[] = [
  '/order/boarding-key',
  '/order/boarding-pass',
  '/contact/qrcode',
  '/contact/scan',
  '/notification/connect-device',
  '/notification/connect-phone',
  '/notification/disconnect-device',
  '/notification/disconnect-phone',
  '/notification/unsubscribe',
  // The code in it is for its person alone.
  '/notification/question',
  '/notification/answer',
  '/user/create',
  '/user/register-device',
  '/user/export',
  '/user/export-state',
  '/user/start-export',
  '/user/delete-account',
  '/user/delete-preview',
  '/user/cancel-delete',
  '/user/latest-driver-license',
  '/user/save-driver-license',
  '/user/trusted-contact',
  '/user/save-trusted-contact',
  '/feedback/appeal',
  // Its answer holds the thread, which no key reads.
  '/feedback/reply',
];

type PersonalScope = `${Exclude<Group, 'pictures' | 'feedback'>}:read` | `${Exclude<Group, 'routes'>}:write`;
/** The scope for `/scim/v2`, through which a directory manages people. Its calls are not in the contract. */
const directoryScope = 'scim';
export type Scope = PersonalScope | 'bookings:write' | TeamScope | typeof directoryScope;

/** Scopes for the calls that a person without a role can make. */
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

/** Scopes for the admin area: the permissions that a key can have. */
const teamScopes = (Object.keys(isForKeys) as Permission[]).filter(
  (each): each is TeamScope => isForKeys[each],
);

export const scopes: readonly Scope[] = [...personalScopes, ...teamScopes, directoryScope];
export const isTeamScope = (scope: Scope): scope is TeamScope => teamScopes.some((each) => each === scope);
export const isScope = (text: string): text is Scope => scopes.some((each) => each === text);

/** The permission that the owner’s role must include for a key to have this scope; null if none is needed. */
export const permissionOfScope = (scope: Scope): Permission | null =>
  scope === directoryScope ? 'people.provision' : (teamScopes.find((each) => each === scope) ?? null);

/** A call's requirement of a key: a scope, nothing (`any`), or it refuses every key (`never`). */
export type KeyNeed = Scope | 'any' | 'never';

/** A call's requirement of a key. A call that no rule here covers refuses every key. */
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
  if (noun === 'order' && method === 'POST' && !orderChanges.includes(path)) return 'never';
  if (nounsOfEveryKey.includes(noun)) return 'any';
  const group = (Object.keys(nounsOf) as Group[]).find((each) =>
    (nounsOf[each] as readonly string[]).includes(noun),
  );
  const scope = `${group}:${method === 'GET' ? 'read' : 'write'}`;
  return isScope(scope) ? scope : 'never';
}
