import * as calls from '#contract/contacts/endpoints.ts';
import type { Serve } from '../../app-type.ts';
import { answerApplication, applyForContact } from './apply-for-contact.ts';
import { blockPerson, unblockPerson, reportPerson } from './report-person.ts';
import { importSalt, importNumbers, searchPeople, originOf } from './search-people.ts';
import { inviteCode, invitePerson } from './invite-person.ts';
import { listRelations, readPerson, removeContact, updateContact } from './own-contacts.ts';
import { makeQrCode, scanCode } from './meet-person.ts';
import { tagsOf } from './store.ts';
import { readTag, createTag, renameTag, deleteTag, addToTag, removeFromTag } from './tags.ts';

export function serveContacts(serve: Serve): void {
  serve(calls.listContacts, (app, _, { userId }) => listRelations(app, userId));
  serve(calls.readContact, (app, { id }, { userId }) => readPerson(app, userId, id));
  serve(calls.searchPeople, (app, { text }, { userId }) => searchPeople(app, userId, text));
  serve(calls.myQrCode, (app, _, { userId }) => makeQrCode(app, userId));
  serve(calls.scanCode, (app, { code }, { userId }) => scanCode(app, userId, code));
  serve(calls.applyForContact, async (app, { id, message, ticket }, { userId }) => {
    const origin = await originOf(app, userId, id, ticket);
    return { relation: await applyForContact(app, userId, id, { message, origin }) };
  });
  serve(calls.answerApplication, (app, { id, status }, { userId }) =>
    answerApplication(app, userId, id, status),
  );
  serve(calls.updateContact, (app, input, { userId }) => updateContact(app, userId, input));
  serve(calls.deleteContact, (app, { id }, { userId }) => removeContact(app, userId, id));
  serve(calls.blockPerson, (app, { id }, { userId }) => blockPerson(app, userId, id));
  serve(calls.unblockPerson, (app, { id }, { userId }) => unblockPerson(app, userId, id));
  serve(calls.reportPerson, (app, input, { userId }) => reportPerson(app, userId, input));
  serve(calls.importSalt, async (app, _, { userId }) => ({ salt: await importSalt(app, userId) }));
  serve(calls.importContacts, (app, book, { userId }) => importNumbers(app, userId, book));
  serve(calls.inviteLink, (app, _, { userId }) => inviteCode(app, userId));
  serve(calls.inviteSomebody, (app, input, { userId }) => invitePerson(app, userId, input));

  serve(calls.listTags, async (app, _, { userId }) => ({ tags: await tagsOf(app.db, userId) }));
  serve(calls.readTag, (app, { id }, { userId }) => readTag(app, userId, id));
  serve(calls.createTag, (app, { name, userIds }, { userId }) => createTag(app, userId, name, userIds));
  serve(calls.updateTag, (app, { id, name }, { userId }) => renameTag(app, userId, id, name));
  serve(calls.deleteTag, (app, { id }, { userId }) => deleteTag(app, userId, id));
  serve(calls.addToTag, (app, { id, userIds }, { userId }) => addToTag(app, userId, id, userIds));
  serve(calls.removeFromTag, (app, { id, userIds }, { userId }) => removeFromTag(app, userId, id, userIds));
}
