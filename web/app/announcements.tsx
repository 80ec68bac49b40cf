import { Suspense } from 'react';
import { laterPart } from '../core/lazy-part.ts';

const Bars = laterPart(
  () => import('./announcement-bars.tsx').then(({ AnnouncementBars }) => AnnouncementBars),
  [],
);

/** What the operator announces, above every page; nothing of it is part of a first screen. */
export function Announcements() {
  return (
    <Suspense>
      <Bars />
    </Suspense>
  );
}
