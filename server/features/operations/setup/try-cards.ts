import type { OutputOf } from '#contract/define.ts';
import type { tryCards } from '#contract/setup/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { providerAccount } from '../../payments/service.ts';

type Tried = OutputOf<typeof tryCards>;

/** Tests the card provider's key by reading its account. */
export async function tryAccount(app: App): Promise<Tried> {
  const nothing = { account: '', name: '', said: '' };
  if (!app.env.takesCards) return { ...nothing, outcome: 'none' };
  const asked = await providerAccount(app);
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
