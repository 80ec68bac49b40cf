import type { StaffRole } from '#contract/admin/roles.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { IdentityService } from '../../identity/service.ts';

/** What the commands of a directory use. */
export interface DirectoryContext {
  platform: Platform;
  identity: IdentityService;
}

/** Has something done once the transaction stands. */
export type AfterCommit = (task: () => void) => void;

/** Who a directory is: the person for whom its key acts. */
export interface DirectoryCaller {
  userId: string;
  /** What they may change of roles, their directory may. */
  staffRole: StaffRole | null;
}
