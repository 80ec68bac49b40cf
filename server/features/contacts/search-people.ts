import type { searchPeople as searchCall } from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { refuseField } from '../../platform/refusal.ts';
import { parsePhone } from '../identity/service.ts';
import { searchedBy } from './rules/search-text.ts';
import { foundPeople } from './search-ticket.ts';
import * as store from './store.ts';

const mostFound = 30;

/** People who can be found by this text. Refuses `contact.searchShort`, and too many searches. */
export async function searchPeople(
  app: App,
  viewerId: string,
  text: string,
): Promise<OutputOf<typeof searchCall>> {
  const by = searchedBy(text, parsePhone);
  if (by === null)
    throw refuseField('contact.searchShort', 'text', 'Please enter at least 2 letters of the name.');
  const ids = await store.findPeople(app.db, viewerId, by, mostFound);
  const kind = 'email' in by ? 'email' : 'phone' in by ? 'phone' : 'name';
  const origin = kind === 'phone' ? 'PHONE_NUMBER' : 'DIRECT';
  return { by: kind, people: await foundPeople(app, viewerId, ids, origin) };
}
