import { startTransition, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { isFirstScreenThere } from '../core/first-screen.ts';
import { useHoldFirstScreen } from '../core/use-hold-first-screen.ts';
import { Pending } from './pending.tsx';

let isSliced = false;

/** Called where nothing of the page is shown yet: where the HTML holds it, the app draws the same at once. */
export const drawFirstPageInSlices = (): void => {
  isSliced = true;
};

/**
 * The page that the app is opened at. The router shows a loaded page in one task, which takes a slow phone a
 * quarter of a second; here React draws it in slices of a few milliseconds, so that a tap never waits. Later
 * pages are drawn at once.
 */
export function inSlices(Page: ComponentType, Meanwhile: ComponentType = Pending): () => ReactNode {
  return function FirstPage() {
    const [isDue, setDue] = useState(() => !isSliced || isFirstScreenThere());
    useEffect(() => startTransition(() => setDue(true)), []);
    useHoldFirstScreen(!isDue);
    return isDue ? <Page /> : <Meanwhile />;
  };
}
