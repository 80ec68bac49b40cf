import type { Platform } from '../../platform/platform.ts';
import { askDeletion, undoDeletion } from './ask-deletion.ts';
import type { PrivacyContext, PrivacyFeatures } from './context.ts';
import { deleteDue } from './delete-due.ts';
import { createErasePerson, type TableOwners } from './erase-person.ts';
import { exportData } from './export-data.ts';
import { readChoices, saveChoices } from './privacy-choices.ts';

export type PrivacyService = ReturnType<typeof createPrivacy>;

/** A person's control of their data: who may find them, an export, and the deletion of the account. */
export function createPrivacy(platform: Platform, features: PrivacyFeatures, owners: TableOwners) {
  const context: PrivacyContext = { platform, ...features };
  const erasePerson = createErasePerson(features, owners);
  return {
    read: readChoices.bind(null, context),
    save: saveChoices.bind(null, context),
    export: exportData.bind(null, context),
    askDeletion: askDeletion.bind(null, context),
    undoDeletion: undoDeletion.bind(null, context),
    deleteDue: deleteDue.bind(null, { ...context, erasePerson }),
  };
}
