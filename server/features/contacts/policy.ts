import { type Relation, mostContacts } from '#contract/contacts/endpoints.ts';
import { dayMs } from '../../platform/clock.ts';
import { notFound, Refusal } from '../../platform/refusal.ts';

const daySeconds = dayMs / 1000;

/** Applications by one person: the command counts them, because a scanned invitation applies as well. */
export const applyTries = { most: 50, withinSeconds: daySeconds };
/**
 * Invitations to one address, by all people together: counted in the command, because only it knows the
 * address.
 */
export const invitedTries = { most: 3, withinSeconds: daySeconds };

/** People scan a code on a screen within seconds; a photo of it must not work an hour later. */
export const qrLifeMs = 10 * 60_000;
export const inviteLifeMs = 90 * dayMs;
/** People apply soon after a search or an import has found a person. */
export const ticketLifeMs = dayMs;
/** How long a denied applicant waits before asking again. */
export const askAgainAfterMs = 7 * dayMs;
/** How long a denied application is shown to the applicant. */
export const answerShownMs = 7 * dayMs;

/** The relation between two people, as the store reads it. */
export interface Standing {
  isContact: boolean;
  /** The viewer blocked the other; a person who blocked the viewer is not listed at all. */
  isBlocked: boolean;
  /** The direction of the pending application: to the viewer (in) or from the viewer (out). */
  waiting: 'in' | 'out' | null;
}

export function relationOf({ isContact, isBlocked, waiting }: Standing): Relation {
  if (isBlocked) return 'blocked';
  if (isContact) return 'contact';
  if (waiting === null) return 'none';
  return waiting === 'out' ? 'applied' : 'asked';
}

/** Whether contacts see the phone number. */
export const phoneShownToContacts = (phoneSeenBy: 'nobody' | 'joined' | 'contacts'): boolean =>
  phoneSeenBy === 'contacts';

export const personUnknown = () => notFound('contact.notFound', 'We couldn’t find this person.');
export const unable = () => notFound('contact.unable', 'Unable to contact.');
export const yourself = () => new Refusal('contact.self', 'That’s you.');
export const tooManyContacts = () =>
  new Refusal('contact.tooMany', `One of you has ${mostContacts} contacts, as many as one can have.`, {
    code: 409,
  });
