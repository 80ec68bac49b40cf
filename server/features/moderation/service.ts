import { erasure as ofAnnouncements } from './announcements/store.ts';
import { erasure as ofCannedAnswers } from './canned-answers/store.ts';
import { erasure as ofFeedback } from './feedback/store.ts';
import { erasure as ofStrikes } from './strikes/store.ts';
import { erasure as ofTickets } from './tickets/store.ts';

/** Deletes or empties a person's rows in the tables of this feature when their account goes. */
export const erasure = {
  ...ofAnnouncements,
  ...ofCannedAnswers,
  ...ofFeedback,
  ...ofStrikes,
  ...ofTickets,
};
