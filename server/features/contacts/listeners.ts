import type { App } from '../../app-type.ts';
import { welcomeInvited } from './meet-person.ts';

/** Makes a person who signed up by an invitation and its sender contacts. */
export function listenForInvited(app: App): void {
  app.outbox.on('person.invited', 'contacts', ({ payload }) =>
    welcomeInvited(app, payload.personId, payload.inviterId),
  );
}
