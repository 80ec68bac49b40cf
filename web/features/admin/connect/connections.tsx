import { ApiKeys } from './api-keys.tsx';
import { Directory } from './directory.tsx';
import { Webhooks } from './webhooks.tsx';

/** API keys, webhooks and the directory. */
export function Connections({ timeZone }: { timeZone: string }) {
  return (
    <div className="flex flex-col gap-8">
      <ApiKeys timeZone={timeZone} />
      <Webhooks timeZone={timeZone} />
      <Directory />
    </div>
  );
}
