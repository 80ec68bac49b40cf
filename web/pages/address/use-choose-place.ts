import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../../core/session.ts';
import type { ChosenField } from './choose-place.tsx';

/**
 * Opens the place chooser for one end of a plan. A guest, for whom the address page is closed, gets it on the
 * tab page itself (`choose`), so that everything up to publishing can be tried.
 */
export function useChoosePlace(role: 'driver' | 'passenger'): (end: 'from' | 'to') => void {
  const navigate = useNavigate();
  const { signedIn, user } = useSession();
  return (end) => {
    if (signedIn && !user.profileMissing) {
      void navigate({ to: '/pages/address/address', search: { for: role, field: end } });
      return;
    }
    void navigate({ to: role === 'driver' ? '/' : '/pages/passenger/passenger', search: { choose: end } });
  };
}

/**
 * The same for a stop on the way, or for an order that is being edited: only their owner does, who is signed
 * in.
 */
export function useChooseOwnPlace(
  owner: 'driver' | 'editedRide' | 'editedRequest' | 'proposal',
): (field: ChosenField) => void {
  const navigate = useNavigate();
  return (field) => void navigate({ to: '/pages/address/address', search: { for: owner, field } });
}
