import type { SessionUser } from '#contract/access/endpoints.ts';
import { co2GramsPerMetre } from '#contract/co2.ts';
import type { Person, Profile } from '#contract/user/endpoints.ts';
import { isAdmin } from './rules/staff-role.ts';
import type { LicenseStatus, UserRow } from './store.ts';

/** A new pair of tokens, as the client gets it. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
  expiresAt: Date;
}

/** Mean stars to one decimal; null before the first review. */
const ratingOf = ({ ratingSum, ratingCount }: Pick<UserRow, 'ratingSum' | 'ratingCount'>): number | null =>
  ratingCount === 0 ? null : Math.round((ratingSum / ratingCount) * 10) / 10;

/** @param openId the person's id at their sign-in provider; empty without one. */
export function viewSession(user: UserRow, tokens: Tokens, openId: string): SessionUser {
  return {
    id: user.id,
    authId: user.id,
    openId,
    email: user.email,
    phone: user.phone,
    phoneNumber: user.phone === '' ? '' : user.phone.slice(user.phoneRegion.length),
    phoneRegion: user.phoneRegion,
    preferContactWith: user.preferContactWith,
    name: user.name,
    lastName: user.lastName,
    avatar: user.avatar,
    accessToken: tokens.accessToken,
    expiresAt: tokens.expiresAt.getTime(),
    refreshToken: tokens.refreshToken,
    authed: true,
    inviter: user.inviterId ?? '',
    isAdmin: isAdmin(user.staffRole),
    staffRole: user.staffRole,
    profileMissing: user.profileCompletedAt === null,
  };
}

export function viewProfile(user: UserRow, license: LicenseStatus | null): Profile {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    firstName: user.firstName,
    lastName: user.lastName,
    gender: user.gender,
    interests: user.interests,
    phone: user.phone,
    phoneVerified: user.phone !== '' && user.phoneVerifiedAt !== null,
    deletionDueAt: user.deletionDueAt?.toISOString() ?? null,
    language: user.language,
    avatar: user.avatar,
    preferContactWith: user.preferContactWith,
    rating: ratingOf(user),
    ratingCount: user.ratingCount,
    completedRides: user.completedRides,
    sharedMetres: user.sharedMetres,
    savedCo2Grams: Math.round(user.sharedMetres * co2GramsPerMetre),
    license: license ?? 'none',
    isAdmin: isAdmin(user.staffRole),
    staffRole: user.staffRole,
  };
}

/** The columns of a person that others see. */
export type PersonColumns = Pick<
  UserRow,
  'id' | 'name' | 'avatar' | 'ratingSum' | 'ratingCount' | 'completedRides'
>;

export function viewPerson(user: PersonColumns, license: LicenseStatus | null): Person {
  return {
    id: user.id,
    name: user.name,
    avatar: user.avatar,
    rating: ratingOf(user),
    ratingCount: user.ratingCount,
    completedRides: user.completedRides,
    verifiedDriver: license === 'Accepted',
  };
}
