import { useEffect } from 'react';
import { holdFirstScreen } from './first-screen.ts';

/** Delays the work after the first screen while a part of it is still loading. */
export function useHoldFirstScreen(isOnItsWay: boolean): void {
  useEffect(() => (isOnItsWay ? holdFirstScreen() : undefined), [isOnItsWay]);
}
