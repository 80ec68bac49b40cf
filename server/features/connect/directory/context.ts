import type { App } from '../../../app-type.ts';
import type { StaffRole } from '#contract/admin/roles.ts';
import type { CommandPlatform } from '../../../platform/command-platform.ts';

/** What roles of groups take: less than an app has. */
export interface GroupRoleContext {
  platform: CommandPlatform;
}

/** The dependencies of a directory's commands. */
export interface DirectoryContext {
  platform: App;
}

/** Runs a task after the transaction has committed. */
export type AfterCommit = (task: () => void) => void;

/** The person that a directory's key acts for. */
export interface DirectoryCaller {
  userId: string;
  /** The directory may change the roles that this person may change. */
  staffRole: StaffRole | null;
}
