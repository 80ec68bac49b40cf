import type { Contact, updateContact as updateCall } from '#contract/contacts/endpoints.ts';
import type { InputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { notFound } from '../../platform/refusal.ts';
import { contactsOf } from './list-contacts.ts';
import { countOwnTags } from './queries.ts';
import { personUnknown } from './refusals.ts';
import * as store from './store.ts';

/** Changes remark and tags, which only their owner sees. Refuses `contact.notFound`, `tag.notFound`. */
export async function updateContact(
  app: App,
  ownerId: string,
  input: Required<InputOf<typeof updateCall>>,
): Promise<Contact> {
  const tagIds = [...new Set(input.tagIds)];
  await app.transact('update contact', async (tx) => {
    await store.holdPair(tx, ownerId, input.id);
    if (!(await store.updateRemark(tx, ownerId, input.id, input.remark))) throw personUnknown();
    if ((await countOwnTags(tx, ownerId, tagIds)) !== tagIds.length)
      throw notFound('tag.notFound', 'This tag no longer exists.');
    await store.retag(tx, ownerId, input.id, tagIds);
  });
  const [contact] = await contactsOf(app, ownerId, input.id);
  if (contact === undefined) throw personUnknown();
  return contact;
}
