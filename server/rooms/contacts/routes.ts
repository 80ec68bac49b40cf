import { listContacts, listTags } from '#contract/contacts/endpoints.ts';
import type { Serve } from '../../base/http.ts';
import type { ContactsService } from './service.ts';

export function serveContacts(serve: Serve, contacts: ContactsService): void {
  serve(listContacts, async (_, caller) => ({ contacts: await contacts.list(caller.userId) }));
  serve(listTags, async (_, caller) => ({ tags: await contacts.tags(caller.userId) }));
}
