import type { reviewTags } from '#contract/reviews/endpoints.ts';
import { texts, type Persona } from './demo-data.ts';
import type { Dice } from './seeded-random.ts';

type ReviewTag = (typeof reviewTags)[number];

/** A driver's or passenger's note; every other order has none. */
export function noteFor(dice: Dice, { language }: Persona, role: 'driver' | 'passenger'): string {
  if (dice.percent(50)) return '';
  return dice.pick((role === 'driver' ? texts.rideNotes : texts.requestNotes)[language]);
}

export const askFor = (dice: Dice, { language }: Persona): string => dice.pick(texts.asks[language]);

/** One person's words about the other after a ride: mostly five stars, now and then four, rarely three. */
export function reviewBy(
  dice: Dice,
  { language }: Persona,
  about: 'ofDriver' | 'ofPassenger',
): { stars: number; tags: ReviewTag[]; words: string } {
  const stars = dice.percent(76) ? 5 : dice.percent(85) ? 4 : 3;
  const words = dice.pick(
    stars === 5 || (stars === 4 && dice.percent(50)) ? texts.praise[about][language] : texts.mild[language],
  );
  const tags = stars === 3 ? [] : dice.shuffled(texts.reviewTags[about]).slice(0, dice.between(1, 3));
  return { stars, tags, words };
}
