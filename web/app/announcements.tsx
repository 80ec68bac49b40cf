import { Suspense } from 'react';
import { laterPart } from '../core/lazy-part.ts';

const Bars = laterPart(
  () => import('./announcement-bars.tsx').then(({ AnnouncementBars }) => AnnouncementBars),
  [],
);

/** Announcements above every page. They are not part of the first screen. */
export function Announcements() {
  return (
    <Suspense>
      <Bars />
    </Suspense>
  );
}
