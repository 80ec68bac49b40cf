import type { OutputOf } from '#contract/define.ts';
import type { tryCards } from '#contract/setup/endpoints.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { PaymentsService } from '../../payments/service.ts';

type Tried = OutputOf<typeof tryCards>;

/** Tests the card provider's key by reading its account. */
export async function tryAccount(
  { env }: Pick<Platform, 'env'>,
  { provider }: Pick<PaymentsService, 'provider'>,
): Promise<Tried> {
  const nothing = { account: '', name: '', said: '' };
  if (!env.takesCards) return { ...nothing, outcome: 'none' };
  const asked = await provider.ownAccount();
  if (asked.outcome === 'done') {
    const { id, name, takesMoney } = asked.value;
    return { outcome: takesMoney ? 'ready' : 'incomplete', account: id, name, said: '' };
  }
  const said = 'message' in asked ? asked.message.slice(0, 300) : '';
  if (asked.outcome !== 'unavailable') return { ...nothing, outcome: 'other', said };
  const { fault } = asked;
  if (fault === 'apiKey') return { ...nothing, outcome: 'key', said };
  return { ...nothing, outcome: fault === 'permission' ? 'permission' : 'unreachable', said };
}
