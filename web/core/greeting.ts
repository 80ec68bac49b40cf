/*
 * At a first visit the HTML of home holds the introduction (scripts/web-build/first-screens.ts). It stays
 * over the page that the app draws until the app has one of its own there.
 */

const greeting = (): Element | null => document.querySelector('.first-visit .greeting');

/** Takes it out of what the app will draw over. */
export function keepGreeting(): void {
  const kept = greeting();
  if (kept !== null) document.body.append(kept);
}

export const endGreeting = (): void => greeting()?.remove();
