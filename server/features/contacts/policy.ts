import type { Relation } from '#contract/contacts/endpoints.ts';
import { dayMs } from '../../platform/clock.ts';

const daySeconds = dayMs / 1000;

/** Applications of one person: counted in the command, because a scanned invitation applies as well. */
export const applyTries = { most: 50, withinSeconds: daySeconds };
/**
 * Invitations to one address, by all people together: counted in the command, which alone knows the address.
 */
export const invitedTries = { most: 3, withinSeconds: daySeconds };

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
