import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../../base/session.ts';

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

/** The same for an order that is being edited: only its owner does, who is signed in. */
export function useChooseEditedPlace(edited: 'editedRide' | 'editedRequest'): (end: 'from' | 'to') => void {
  const navigate = useNavigate();
  return (end) => void navigate({ to: '/pages/address/address', search: { for: edited, field: end } });
}
