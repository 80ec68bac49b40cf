import type { Platform } from '../../platform/platform.ts';
import type { ContactsService } from './service.ts';

/** Makes a person who signed up by an invitation and its sender contacts. */
export function listenForInvited({ outbox }: Platform, contacts: ContactsService): void {
  outbox.on('person.invited', 'contacts', ({ payload }) =>
    contacts.welcome(payload.personId, payload.inviterId),
  );
}
