import { useCallback, useState } from 'react';
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
  const locate = useCallback(
    () =>
      new Promise<LonLat | null>((resolve) => {
        const fail = () => {
          setState('failed');
          resolve(null);
        };
        if (!('geolocation' in navigator)) {
          fail();
          return;
        }
        setState('locating');
        navigator.geolocation.getCurrentPosition(
          ({ coords }) => {
            const found: LonLat = [coords.longitude, coords.latitude];
            setAt(found);
            setState('known');
            resolve(found);
          },
          fail,
          { enableHighAccuracy: true, timeout: 10_000, maximumAge: 30_000 },
        );
      }),
    [],
  );
  return { at, state, locate };
}
