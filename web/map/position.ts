import { useCallback, useState } from 'react';
import { device } from '../core/device/this-device.ts';
import type { LonLat } from './shapes.ts';

export type PositionState = 'unknown' | 'locating' | 'known' | 'failed';

/**
 * The device's position, asked for only when `locate()` is called, since the browser asks the person.
 * `locate` resolves to the position, or null when positioning failed.
 */
export function usePosition(): {
  at: LonLat | null;
  state: PositionState;
  locate: () => Promise<LonLat | null>;
} {
  const [at, setAt] = useState<LonLat | null>(null);
  const [state, setState] = useState<PositionState>('unknown');
  const locate = useCallback(async () => {
    setState('locating');
    const here = await device().position({ withinMs: 10_000, maxAgeMs: 30_000 });
    if (here === null) {
      setState('failed');
      return null;
    }
    const found: LonLat = [here.lon, here.lat];
    setAt(found);
    setState('known');
    return found;
  }, []);
  return { at, state, locate };
}
