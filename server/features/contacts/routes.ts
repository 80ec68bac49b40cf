import * as calls from '#contract/contacts/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { ContactsService } from './service.ts';

export function serveContacts(serve: Serve, contacts: ContactsService): void {
  serve(calls.listContacts, (_, { userId }) => contacts.overview(userId));
  serve(calls.readContact, ({ id }, { userId }) => contacts.detail(userId, id));
  serve(calls.searchPeople, ({ text }, { userId }) => contacts.search(userId, text));
  serve(calls.myQrCode, (_, { userId }) => contacts.qrCode(userId));
  serve(calls.scanCode, ({ code }, { userId }) => contacts.scan(userId, code));
  serve(calls.applyForContact, async ({ id, message, ticket }, { userId }) => {
    const origin = await contacts.originOf(userId, id, ticket);
    return { relation: await contacts.apply(userId, id, { message, origin }) };
  });
  serve(calls.answerApplication, ({ id, status }, { userId }) => contacts.answer(userId, id, status));
  serve(calls.updateContact, (input, { userId }) => contacts.update(userId, input));
  serve(calls.deleteContact, async ({ id }, { userId }) => {
    await contacts.remove(userId, id);
    return {};
  });
  serve(calls.blockPerson, async ({ id }, { userId }) => {
    await contacts.block(userId, id);
    return {};
  });
  serve(calls.unblockPerson, async ({ id }, { userId }) => {
    await contacts.unblock(userId, id);
    return {};
  });
  serve(calls.reportPerson, async (input, { userId }) => {
    await contacts.report(userId, input);
    return {};
  });
  serve(calls.importSalt, async (_, { userId }) => ({ salt: await contacts.importSalt(userId) }));
  serve(calls.importContacts, (book, { userId }) => contacts.importNumbers(userId, book));
  serve(calls.inviteLink, (_, { userId }) => contacts.inviteCode(userId));
  serve(calls.inviteSomebody, async (input, { userId }) => {
    await contacts.invite(userId, input);
    return {};
  });

  serve(calls.listTags, async (_, { userId }) => ({ tags: await contacts.tags(userId) }));
  serve(calls.readTag, ({ id }, { userId }) => contacts.tagDetail(userId, id));
  serve(calls.createTag, ({ name, userIds }, { userId }) => contacts.createTag(userId, name, userIds));
  serve(calls.updateTag, ({ id, name }, { userId }) => contacts.renameTag(userId, id, name));
  serve(calls.deleteTag, async ({ id }, { userId }) => {
    await contacts.deleteTag(userId, id);
    return {};
  });
  serve(calls.addToTag, ({ id, userIds }, { userId }) => contacts.addToTag(userId, id, userIds));
  serve(calls.removeFromTag, ({ id, userIds }, { userId }) => contacts.removeFromTag(userId, id, userIds));
}
