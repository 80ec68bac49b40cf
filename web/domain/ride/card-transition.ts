import type { MouseEvent } from 'react';

/** The name that a ride's card and its page share while the one becomes the other (theme.css). */
export const rideTransition = 'ride';

const reduced = matchMedia('(prefers-reduced-motion: reduce)');

/** Marks the card that was tapped: it alone grows into the page. A name must be unique in a document. */
function markCard({ currentTarget }: MouseEvent<HTMLElement>): void {
  for (const marked of document.querySelectorAll<HTMLElement>('[data-opens-ride]'))
    marked.style.viewTransitionName = '';
  const card = currentTarget.closest<HTMLElement>('[data-opens-ride]') ?? currentTarget;
  card.style.viewTransitionName = rideTransition;
}

/**
 * What a link from a card to its ride's page takes. Where the browser has no view transitions, or the person
 * asks for less motion, the page simply opens.
 */
export const cardLink = () => ({ viewTransition: !reduced.matches, onClick: markCard });

/** The ride whose page is being left for the list that it was opened from. */
let returningFrom: string | undefined;

/**
 * Called when the person goes back from a ride's page: its card takes the page's content back. Says whether
 * the step is to be shown as a transition.
 */
export function returnToCard(rideId: string | undefined): boolean {
  returningFrom = reduced.matches ? undefined : rideId;
  return returningFrom !== undefined;
}

/** Names the card of the ride that was just left, as it is drawn; the first one, where there are several. */
export const nameReturning = (rideId: string | undefined) => (card: HTMLElement | null) => {
  if (card === null || rideId === undefined || rideId !== returningFrom) return;
  returningFrom = undefined;
  card.style.viewTransitionName = rideTransition;
};
