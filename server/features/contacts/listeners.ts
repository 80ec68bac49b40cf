import type { Platform } from '../../platform/platform.ts';
import type { ContactsService } from './service.ts';

/** Whoever signed up by an invitation and its sender become contacts. */
export function listenForInvited({ outbox }: Platform, contacts: ContactsService): void {
  outbox.on('person.invited', 'contacts', ({ payload }) =>
    contacts.welcome(payload.personId, payload.inviterId),
  );
}
