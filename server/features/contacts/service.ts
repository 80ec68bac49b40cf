export { applyForContact } from './apply-for-contact.ts';
export { befriend } from './meet-person.ts';
export { keepReport } from './report-person.ts';
export {
  areContacts,
  closeReport,
  contactIds,
  contactsAmong,
  countInCommon,
  erasure,
  reopenReport,
} from './store.ts';
export { createTag } from './tags.ts';
