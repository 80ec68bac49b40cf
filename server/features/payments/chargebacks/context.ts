import type { App } from '../../../app-type.ts';
import { notFound } from '../../../platform/refusal.ts';
import type { Alarms } from '../alarms/service.ts';
import type { CardProvider } from '../provider/card-provider.ts';
import type { RecordDirectory } from '../record-directory.ts';

/** What every command about chargebacks works with. */
export interface ChargebackContext {
  platform: App;
  records: RecordDirectory;
  provider: CardProvider;
  alarms: Alarms;
}

export const chargebackNotFound = () => notFound('chargeback.notFound', 'We couldn’t find this chargeback.');
