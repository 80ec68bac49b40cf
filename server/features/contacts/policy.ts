import type { Relation } from '#contract/contacts/endpoints.ts';
import { dayMs } from '../../platform/clock.ts';

/** How often a thing may be tried: `most` times within the window. */
interface Allowance {
  most: number;
  windowSeconds: number;
}

const minute = 60;
const hour = 3600;
const day = 24 * hour;

/** Wide enough for a person, too narrow to go through all phone numbers or to write to everybody. */
export const allowances = {
  searchPerMinute: { most: 40, windowSeconds: minute },
  searchPerDay: { most: 500, windowSeconds: day },
  applyPerDay: { most: 50, windowSeconds: day },
  scanPerMinute: { most: 30, windowSeconds: minute },
  importPerDay: { most: 6, windowSeconds: day },
  invitePerDay: { most: 30, windowSeconds: day },
  /** To one address, by everybody together. */
  invitedPerDay: { most: 3, windowSeconds: day },
  reportPerDay: { most: 20, windowSeconds: day },
} satisfies Record<string, Allowance>;

/** A code on a screen is scanned within seconds; a picture of it is worth nothing an hour later. */
export const qrLifeMs = 10 * 60_000;
export const inviteLifeMs = 90 * dayMs;
/** What a search or an address book found is applied for soon. */
export const ticketLifeMs = dayMs;
/** Who was denied may ask again after this. */
export const askAgainAfterMs = 7 * dayMs;
/** So long a denied application is shown to who made it. */
export const answerShownMs = 7 * dayMs;

/** What stands between two people, as the store reads it. */
export interface Standing {
  isContact: boolean;
  /** The viewer blocked the other; the other way round nobody is shown at all. */
  isBlocked: boolean;
  /** Who asked whom and waits. */
  waiting: 'in' | 'out' | null;
}

export function relationOf({ isContact, isBlocked, waiting }: Standing): Relation {
  if (isBlocked) return 'blocked';
  if (isContact) return 'contact';
  if (waiting === null) return 'none';
  return waiting === 'out' ? 'applied' : 'asked';
}

/** Whether a contact reads the phone number. */
export const phoneShownToContacts = (phoneSeenBy: 'nobody' | 'joined' | 'contacts'): boolean =>
  phoneSeenBy === 'contacts';
