import type { StaffRole } from '#contract/admin/roles.ts';
import type { SessionUser } from '#contract/access/endpoints.ts';
import * as shape from './shape.ts';
import { stored } from './stored.ts';

/**
 * The session user's defaults while no one is signed in. `name` is the guest label, in English until
 * `nameGuest`.
 */
export const guest: SessionUser = {
  id: '',
  authId: '',
  openId: '',
  email: '',
  phone: '',
  phoneNumber: '',
  phoneRegion: '+1',
  preferContactWith: 'phone',
  name: 'Guest',
  lastName: '',
  avatar: '',
  accessToken: '',
  expiresAt: 0,
  refreshToken: '',
  authed: false,
  inviter: '',
  isAdmin: false,
  staffRole: null,
  profileMissing: false,
};

// The table of roles is part of the admin area, not of the first load.
const role = shape.valueOf((raw): raw is StaffRole => typeof raw === 'string');
const sessionUser: shape.Shape<SessionUser> = shape.fields({
  id: shape.text,
  authId: shape.text,
  openId: shape.text,
  email: shape.text,
  phone: shape.text,
  phoneNumber: shape.text,
  phoneRegion: shape.text,
  preferContactWith: shape.oneOf('phone', 'email', 'chat'),
  name: shape.text,
  lastName: shape.text,
  avatar: shape.text,
  accessToken: shape.text,
  expiresAt: shape.figure,
  refreshToken: shape.text,
  authed: shape.flag,
  inviter: shape.text,
  isAdmin: shape.flag,
  staffRole: role.nullable().catch(null),
  profileMissing: shape.flag,
});

const session = stored('session', (raw): SessionUser => sessionUser.safeParse(raw).data ?? guest);

/** Logged in means that there is an access token and the person has proved who they are. */
export const isSignedIn = (user: SessionUser): boolean => user.accessToken !== '' && user.authed;

/** The session now, for code outside components. */
export const readSession = session.read;
/** The session as the browser's storage holds it: another tab may have refreshed it a moment ago. */
export const rereadSession = session.reread;
/** Calls back on every change of the session, in this tab or another. */
export const followSession = session.subscribe;

/** Keeps the person who has just signed in, or a refreshed session. */
export const signIn = (user: SessionUser): void => session.write(user);
/** Changes parts of the stored session user, for example after the profile was saved. */
export const updateSession = (part: Partial<SessionUser>): void =>
  session.write({ ...session.read(), ...part });
/**
 * Forgets the session in every tab: it was lost. Signing out because the person wants to is `leaveDevice`.
 */
export const signOut = (): void => session.write({ ...guest, inviter: session.read().inviter });

/** Says what a guest is called in the language that is shown; a person who is signed in keeps their name. */
export function nameGuest(label: string): void {
  guest.name = label;
  const kept = session.read();
  if (kept.id === '' && kept.name !== label) session.write({ ...kept, name: label });
}
