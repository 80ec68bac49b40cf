import * as calls from '#contract/contacts/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { answerApplication } from './answer-application.ts';
import { applyForContact } from './apply-for-contact.ts';
import { blockPerson, unblockPerson } from './block-person.ts';
import { importSalt, importNumbers } from './import-numbers.ts';
import { inviteCode, invitePerson } from './invite-person.ts';
import { listRelations, readPerson } from './list-contacts.ts';
import { makeQrCode, scanCode } from './qr-code.ts';
import { removeContact } from './remove-contact.ts';
import { reportPerson } from './report-person.ts';
import { searchPeople } from './search-people.ts';
import { originOf } from './search-ticket.ts';
import { tagsOf } from './store.ts';
import { readTag, createTag, renameTag, deleteTag, addToTag, removeFromTag } from './tags.ts';
import { updateContact } from './update-contact.ts';

export function serveContacts(serve: Serve, app: App): void {
  serve(calls.listContacts, (_, { userId }) => listRelations(app, userId));
  serve(calls.readContact, ({ id }, { userId }) => readPerson(app, userId, id));
  serve(calls.searchPeople, ({ text }, { userId }) => searchPeople(app, userId, text));
  serve(calls.myQrCode, (_, { userId }) => makeQrCode(app, userId));
  serve(calls.scanCode, ({ code }, { userId }) => scanCode(app, userId, code));
  serve(calls.applyForContact, async ({ id, message, ticket }, { userId }) => {
    const origin = await originOf(app, userId, id, ticket);
    return { relation: await applyForContact(app, userId, id, { message, origin }) };
  });
  serve(calls.answerApplication, ({ id, status }, { userId }) => answerApplication(app, userId, id, status));
  serve(calls.updateContact, (input, { userId }) => updateContact(app, userId, input));
  serve(calls.deleteContact, async ({ id }, { userId }) => {
    await removeContact(app, userId, id);
    return {};
  });
  serve(calls.blockPerson, async ({ id }, { userId }) => {
    await blockPerson(app, userId, id);
    return {};
  });
  serve(calls.unblockPerson, async ({ id }, { userId }) => {
    await unblockPerson(app, userId, id);
    return {};
  });
  serve(calls.reportPerson, async (input, { userId }) => {
    await reportPerson(app, userId, input);
    return {};
  });
  serve(calls.importSalt, async (_, { userId }) => ({ salt: await importSalt(app, userId) }));
  serve(calls.importContacts, (book, { userId }) => importNumbers(app, userId, book));
  serve(calls.inviteLink, (_, { userId }) => inviteCode(app, userId));
  serve(calls.inviteSomebody, async (input, { userId }) => {
    await invitePerson(app, userId, input);
    return {};
  });

  serve(calls.listTags, async (_, { userId }) => ({ tags: await tagsOf(app.db, userId) }));
  serve(calls.readTag, ({ id }, { userId }) => readTag(app, userId, id));
  serve(calls.createTag, ({ name, userIds }, { userId }) => createTag(app, userId, name, userIds));
  serve(calls.updateTag, ({ id, name }, { userId }) => renameTag(app, userId, id, name));
  serve(calls.deleteTag, async ({ id }, { userId }) => {
    await deleteTag(app, userId, id);
    return {};
  });
  serve(calls.addToTag, ({ id, userIds }, { userId }) => addToTag(app, userId, id, userIds));
  serve(calls.removeFromTag, ({ id, userIds }, { userId }) => removeFromTag(app, userId, id, userIds));
}
