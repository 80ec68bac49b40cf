import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnectionState } from '../core/realtime.ts';

/** A connection that is back within this time was never worth a word. */
const patienceMs = 3000;

/** A slim line while news does not arrive by itself. */
export function ConnectionBanner() {
  const state = useConnectionState();
  return (
    <output className="block shrink-0">
      {state !== 'online' && <LostLine key={state} afterMs={state === 'offline' ? 0 : patienceMs} />}
    </output>
  );
}

function LostLine({ afterMs }: { afterMs: number }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(afterMs === 0);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  if (!shown) return null;
  return (
    <span className="strip block animate-fade bg-warn-soft text-warn">
      <span className="flex items-center justify-center gap-2 px-4 py-1.5 text-small font-semibold">
        <WifiOff aria-hidden className="size-4" />
        {t('offlineBanner')}
      </span>
    </span>
  );
}
