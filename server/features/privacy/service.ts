import type { App } from '../../app-type.ts';
import { askDeletion, undoDeletion } from './ask-deletion.ts';
import type { PrivacyContext } from './context.ts';
import { deleteDue } from './delete-due.ts';
import { createErasePerson, type TableOwners } from './erase-person.ts';
import { exportAddress, openExport, readExport, startExport } from './exports/ask-export.ts';
import { clearExports } from './exports/clear-exports.ts';
import { createExportRounds } from './exports/make-export.ts';
import { erasure } from './exports/store.ts';
import { previewLeaving } from './preview-leaving.ts';
import { readChoices, saveChoices } from './privacy-choices.ts';

export type PrivacyService = ReturnType<typeof createPrivacy>;

/** A person's control of their data: who may find them, an export, and the deletion of the account. */
export function createPrivacy(platform: App, owners: TableOwners) {
  const context: PrivacyContext = { platform };
  const erasePerson = createErasePerson([...owners, { erasure }]);
  return {
    read: readChoices.bind(null, context),
    save: saveChoices.bind(null, context),
    startExport: startExport.bind(null, context),
    readExport: readExport.bind(null, context),
    exportAddress: exportAddress.bind(null, context),
    openExport: openExport.bind(null, context),
    makeExports: createExportRounds(context),
    clearExports: clearExports.bind(null, context),
    previewLeaving: previewLeaving.bind(null, context),
    askDeletion: askDeletion.bind(null, context),
    undoDeletion: undoDeletion.bind(null, context),
    deleteDue: deleteDue.bind(null, { ...context, erasePerson }),
  };
}
