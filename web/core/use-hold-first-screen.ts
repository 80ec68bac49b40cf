import { useEffect } from 'react';
import { holdFirstScreen } from './first-screen.ts';

/** What comes after the first page waits as long as a part of it is on its way. */
export function useHoldFirstScreen(isOnItsWay: boolean): void {
  useEffect(() => (isOnItsWay ? holdFirstScreen() : undefined), [isOnItsWay]);
}
