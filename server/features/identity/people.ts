import type { Person } from '#contract/user/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Language } from '../../platform/messages/translate.ts';
import * as store from './store.ts';
import { viewPerson } from './view.ts';

/** How another feature, or the person themselves, may reach a person. */
export interface ContactDetails {
  /** E.164, or empty. */
  phone: string;
  /** Whether the number has been proved to be theirs. */
  phoneVerified: boolean;
  /** Who may read the number. */
  phoneSeenBy: 'nobody' | 'joined' | 'contacts';
  email: string;
  preferContactWith: 'phone' | 'email' | 'chat';
  language: Language;
}

/** What reads of people work with. */
export interface PeopleContext {
  platform: Platform;
  licenseStatusOf: store.LicenseStatusOf;
}

/** People as others see them, by id; unknown ids are left out. */
export async function peopleByIds(
  { platform, licenseStatusOf }: PeopleContext,
  ids: readonly string[],
): Promise<Map<string, Person>> {
  const found = await store.usersWithLicense(platform.db, ids, licenseStatusOf);
  return new Map(found.map(({ user, licence }) => [user.id, viewPerson(user, licence)]));
}

/** How to reach people, by id. Who may read them is for the asking feature to decide. */
export async function contactDetailsOf(
  { platform, licenseStatusOf }: PeopleContext,
  ids: readonly string[],
): Promise<Map<string, ContactDetails>> {
  const found = await store.usersWithLicense(platform.db, ids, licenseStatusOf);
  return new Map(
    found.map(({ user: { id, phoneVerifiedAt, ...user } }) => {
      const { phone, phoneSeenBy, email, preferContactWith, language } = user;
      const phoneVerified = phoneVerifiedAt !== null;
      return [id, { phone, phoneVerified, phoneSeenBy, email, preferContactWith, language }];
    }),
  );
}
