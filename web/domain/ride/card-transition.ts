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
