import { isPermitted, type Permission } from '#contract/admin/roles.ts';
import { useSession } from '../../core/use-session.ts';

/** Whether the person's role has a permission. The server checks each call itself. */
export function useMay(): (permission: Permission) => boolean {
  const { staffRole } = useSession().user;
  return (permission) => isPermitted(staffRole, permission);
}
