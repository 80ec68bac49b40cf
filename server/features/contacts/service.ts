import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { answerApplication } from './answer-application.ts';
import { applyForContact } from './apply-for-contact.ts';
import { blockPerson, unblockPerson } from './block-person.ts';
import type { ContactsContext } from './context.ts';
import { originOf } from './search-ticket.ts';
import { importNumbers, importSalt } from './import-numbers.ts';
import { inviteCode, invitePerson } from './invite-person.ts';
import { contactsOf, listRelations, readPerson } from './list-contacts.ts';
import { befriend, welcomeInvited } from './meet-person.ts';
import { makeQrCode, scanCode } from './qr-code.ts';
import { removeContact } from './remove-contact.ts';
import { keepReport, reportPerson } from './report-person.ts';
import { searchPeople } from './search-people.ts';
import * as store from './store.ts';
import { createTags } from './tags.ts';
import { updateContact } from './update-contact.ts';

export { closeReport, reopenReport } from './store.ts';
export type ContactsService = ReturnType<typeof createContacts>;

/** Contacts, how people found each other, and the tags a person sorts contacts by. */
export function createContacts(platform: App) {
  const { db } = platform;
  const context: ContactsContext = { platform };
  return {
    erasure: store.erasure,

    overview: listRelations.bind(null, context),
    detail: readPerson.bind(null, context),
    apply: applyForContact.bind(null, context),
    answer: answerApplication.bind(null, context),
    welcome: welcomeInvited.bind(null, context),
    befriend: befriend.bind(null, context),
    update: updateContact.bind(null, context),
    remove: removeContact.bind(null, context),
    block: blockPerson.bind(null, context),
    unblock: unblockPerson.bind(null, context),
    report: reportPerson.bind(null, context),

    search: searchPeople.bind(null, context),
    originOf: originOf.bind(null, context),
    qrCode: makeQrCode.bind(null, context),
    scan: scanCode.bind(null, context),
    importSalt: importSalt.bind(null, context),
    importNumbers: importNumbers.bind(null, context),
    inviteCode: inviteCode.bind(null, context),
    invite: invitePerson.bind(null, context),

    ...createTags(platform, (ownerId) => contactsOf(context, ownerId)),

    areContacts: (a: string, b: string): Promise<boolean> => store.areContacts(db, a, b),

    /** How many contacts each of the others has in common with each viewer; those with none are left out. */
    contactsInCommon: store.countInCommon.bind(null, db),
    /** The pairs of contacts between some people and some others. */
    contactsAmong: store.contactsAmong.bind(null, db),

    contactIds: (userId: string): Promise<string[]> => store.contactIds(db, userId),

    /**
     * The ids of others who are hidden from the viewer, and the viewer from them: one has blocked the other.
     */
    blockedAmong: (viewerId: string, otherIds: readonly string[]): Promise<Set<string>> =>
      store.blockedAmong(db, viewerId, otherIds),

    /**
     * Stores a report of a person for the admins, in the caller's transaction; false if this person already
     * reported the review or the message.
     */
    keepReport: (tx: Db, row: Parameters<typeof keepReport>[2]) => keepReport(platform, tx, row),
    /** Closes an open report, in the caller's transaction; null when it is not open. */
    closeReport: store.closeReport,
  };
}
