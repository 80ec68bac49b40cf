import { paymentAccount } from '#contract/payments/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { useSession } from '../../core/use-session.ts';

/** Whether a driver's payment account takes money; null until that is known. */
export function useCanBePaid(enabled = true): boolean | null {
  const { signedIn, user } = useSession();
  const { data } = useCall(
    paymentAccount,
    {},
    {
      enabled: enabled && signedIn && !user.profileMissing,
      quiet: true,
    },
  );
  return data === undefined ? null : data.state === 'verified';
}
