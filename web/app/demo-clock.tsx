import { Suspense } from 'react';
import { useConfig } from '../core/config.ts';
import { laterPart } from '../core/lazy-part.ts';

// Its room is reserved until then.
const ClockControl = laterPart(
  async () => (await import('../features/demo/clock-control.tsx')).ClockControl,
  ['demo'],
);

/** The demo's clock, where this installation is a demo; other installations never load it. */
export function DemoClock() {
  const { data: config } = useConfig();
  if (config?.demo !== true) return null;
  return (
    <Suspense
      fallback={
        <div className="strip min-h-7 shrink-0 bg-warn-soft lg:mx-auto lg:mt-auto lg:min-h-11 lg:w-[72px]" />
      }
    >
      <ClockControl />
    </Suspense>
  );
}
