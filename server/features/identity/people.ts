import type { Person } from '#contract/user/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Language } from '../../platform/messages/translate.ts';
import * as store from './store.ts';
import { viewPerson, type PersonColumns } from './view.ts';

/** A person's contact details, for other features and for the person. */
export interface ContactDetails {
  /** E.164, or empty. */
  phone: string;
  /** Whether the person has verified the number by a code. */
  phoneVerified: boolean;
  /** The people who may see the number. */
  phoneSeenBy: 'nobody' | 'joined' | 'contacts';
  email: string;
  preferContactWith: 'phone' | 'email' | 'chat';
  language: Language;
}

/**
 * People as others see them, by id; leaves out unknown ids.
 * @param db the transaction, in one
 */
export async function peopleByIds(
  app: App,
  ids: readonly string[],
  db: Db = app.db,
): Promise<Map<string, Person>> {
  const found = await store.shownPeople(db, ids, app.ports.identity.licenseStatusOf);
  return new Map(found.map(({ user, license }) => [user.id, viewPerson(user, license)]));
}

/** Both at once: as others see them, and their contact details. */
export async function peopleWithDetails(
  app: App,
  ids: readonly string[],
): Promise<{ people: Map<string, Person>; details: Map<string, ContactDetails> }> {
  const [row] = await app.kept.read<{ people: PersonRow[] }>(app.identity.readingPeople({ ids: [...ids] }));
  return peopleFrom(row!.people);
}

const peopleOf = (
  found: readonly { user: PersonColumns & DetailColumns; license: store.LicenseStatus | null }[],
): { people: Map<string, Person>; details: Map<string, ContactDetails> } => ({
  people: new Map(found.map(({ user, license }) => [user.id, viewPerson(user, license)])),
  details: new Map(found.map(({ user }) => [user.id, detailsOf(user)])),
});

/** A person's row of `peopleAsJson`. */
export type PersonRow = PersonColumns &
  DetailColumns & { isSuspended: boolean; license: store.LicenseStatus | null };

/** The same of rows that another feature has read with its own. */
export const peopleFrom = (rows: readonly PersonRow[]): ReturnType<typeof peopleOf> =>
  peopleOf(rows.map(({ license, ...user }) => ({ user, license })));

/**
 * People's contact details, by id. The calling feature decides who may see them.
 * @param db the transaction, in one
 */
export async function contactDetailsOf(
  app: App,
  ids: readonly string[],
  db: Db = app.db,
): Promise<Map<string, ContactDetails>> {
  const found = await store.shownPeople(db, ids, app.ports.identity.licenseStatusOf);
  return new Map(found.map(({ user }) => [user.id, detailsOf(user)]));
}

type DetailColumns = Pick<
  store.UserRow,
  'phone' | 'phoneSeenBy' | 'email' | 'preferContactWith' | 'language'
> & { phoneVerifiedAt: Date | string | null };

function detailsOf({ phoneVerifiedAt, ...user }: DetailColumns): ContactDetails {
  const { phone, phoneSeenBy, email, preferContactWith, language } = user;
  return { phone, phoneVerified: phoneVerifiedAt !== null, phoneSeenBy, email, preferContactWith, language };
}

/** Whether a person's own profile says female. */
export const isWoman = async ({ db }: App, userId: string): Promise<boolean> =>
  (await store.findUserById(db, userId))?.gender === 'female';
