import type { StaffRole } from '#contract/admin/roles.ts';
import type { CommandPlatform } from '../../../platform/command-platform.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { IdentityService } from '../../identity/service.ts';

/** What roles of groups take: less than an app has. */
export interface GroupRoleContext {
  platform: CommandPlatform;
  identity: Pick<IdentityService, 'changeRole'>;
}

/** The dependencies of a directory's commands. */
export interface DirectoryContext {
  platform: Platform;
  identity: IdentityService;
}

/** Runs a task after the transaction has committed. */
export type AfterCommit = (task: () => void) => void;

/** The person that a directory's key acts for. */
export interface DirectoryCaller {
  userId: string;
  /** The directory may change the roles that this person may change. */
  staffRole: StaffRole | null;
}
