import type { InputOf } from '#contract/define.ts';
import type { saveTrustedContact as saveCall, TrustedContact } from '#contract/safety/endpoints.ts';
import type { App } from '../../app-type.ts';
import { refuseField } from '../../platform/refusal.ts';
import { parsePhone } from '../identity/service.ts';
import * as store from './store.ts';

const none: TrustedContact = { name: '', phone: '', email: '' };

/** The contact to notify in an emergency; empty fields where the person has named none. */
export async function readTrustedContact(app: App, personId: string): Promise<TrustedContact> {
  const row = await store.trustedOf(app.db, personId);
  return row === null ? none : { name: row.name, phone: row.phone, email: row.email };
}

/**
 * Stores the trusted contact; an empty name removes it. Refuses `access.phoneInvalid`, and
 * `safety.unreachable` for a contact with neither a number nor an email.
 */
export async function saveTrustedContact(
  { transact }: App,
  input: Required<InputOf<typeof saveCall>>,
  personId: string,
): Promise<TrustedContact> {
  if (input.name === '') {
    await transact('remove trusted contact', (tx) => store.dropTrusted(tx, personId));
    return none;
  }
  const number = input.phone === '' ? null : parsePhone(input.phone);
  if (input.phone !== '' && number === null)
    throw refuseField('access.phoneInvalid', 'phone', 'Please enter a valid phone number.');
  const { name, email } = input;
  const phone = number?.phone ?? '';
  if (phone === '' && email === '')
    throw refuseField('safety.unreachable', 'phone', 'Please enter a phone number or an email.');
  await transact('save trusted contact', (tx) =>
    store.keepTrusted(tx, { ownerId: personId, name, phone, email }),
  );
  return { name, phone, email };
}
