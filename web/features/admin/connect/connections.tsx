import { ApiKeys } from './api-keys.tsx';

/** What other programs reach of Sameway. */
export function Connections({ timeZone }: { timeZone: string }) {
  return (
    <div className="flex flex-col gap-8">
      <ApiKeys timeZone={timeZone} />
    </div>
  );
}
