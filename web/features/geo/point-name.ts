import { useCallback, useRef, useState } from 'react';
import { reversePlace, type FoundPlace } from '#contract/geo/endpoints.ts';
import { call } from '../../core/api.ts';
import { errorWords } from '../../core/errors.ts';
import type { LonLat } from '../../map/shapes.ts';

export type PointName =
  | { state: 'none' }
  | { state: 'naming' }
  | { state: 'named'; found: FoundPlace }
  | { state: 'refused'; words: string };

/** Names points of the map one after another; only the last one asked for counts. */
export function usePointName(): {
  name: PointName;
  ask: (at: LonLat) => Promise<FoundPlace | null>;
} {
  const [name, setName] = useState<PointName>({ state: 'none' });
  const latest = useRef<AbortController | null>(null);
  const ask = useCallback(async ([lon, lat]: LonLat) => {
    latest.current?.abort();
    const asking = new AbortController();
    latest.current = asking;
    setName({ state: 'naming' });
    try {
      const found = await call(reversePlace, { lon, lat }, { signal: asking.signal, quiet: true });
      if (asking.signal.aborted) return null;
      setName({ state: 'named', found });
      return found;
    } catch (error) {
      if (!asking.signal.aborted) setName({ state: 'refused', words: errorWords(error) });
      return null;
    }
  }, []);
  return { name, ask };
}
