import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../../core/session.ts';
import type { ChosenField } from './choose-place.tsx';

/**
 * Opens the place chooser for a place of a plan. A guest, for whom the address page is closed, gets it on the
 * tab page itself (`choose`), so that everything up to publishing can be tried.
 */
export function useChoosePlace(role: 'driver' | 'passenger'): (field: ChosenField) => void {
  const navigate = useNavigate();
  const { signedIn, user } = useSession();
  return (field) => {
    if (signedIn && !user.profileMissing) {
      void navigate({ to: '/pages/address/address', search: { for: role, field } });
      return;
    }
    void navigate({ to: role === 'driver' ? '/' : '/pages/passenger/passenger', search: { choose: field } });
  };
}

/** The same for an order that is being changed: only its owner does, who is signed in. */
export function useChooseOwnPlace(
  owner: 'editedRide' | 'editedRequest' | 'proposal',
): (field: ChosenField) => void {
  const navigate = useNavigate();
  return (field) => void navigate({ to: '/pages/address/address', search: { for: owner, field } });
}
