import type { Base } from '../../platform/base.ts';
import type { ContactsService } from './service.ts';

/** Whoever signed up by an invitation and its sender become contacts. */
export function listenForInvited({ outbox }: Base, contacts: ContactsService): void {
  outbox.on('person.invited', 'contacts', ({ payload }) =>
    contacts.welcome(payload.personId, payload.inviterId),
  );
}
