import { startTransition, useEffect, useState } from 'react';
import { isFirstScreenThere } from './first-screen.ts';

/** How many more are drawn at a time: on a slow phone some 50 ms of work. */
const step = 4;

/**
 * How many items of a long list to draw. On the first page some are drawn at once and the rest a few at a
 * time, so that a tap never waits for all of them; on later pages all are drawn at once, so that going back
 * restores the scroll position.
 */
export function useProgressiveCount(total: number, atOnce: number): number {
  const [drawn, setDrawn] = useState(() => (isFirstScreenThere() ? Number.POSITIVE_INFINITY : atOnce));
  useEffect(() => {
    if (drawn >= total) return undefined;
    const later = setTimeout(() => startTransition(() => setDrawn(drawn + step)));
    return () => clearTimeout(later);
  }, [drawn, total]);
  return drawn;
}
