import type { z } from 'zod';

/** Fields whose name is no word that a person would know. */
const wordsOfField: Record<string, string> = {
  lon: 'a place',
  lat: 'a place',
  from: 'a starting point',
  to: 'a destination',
  departsAt: 'a departure time',
  earliestAt: 'a time',
  latestAt: 'a time',
  startsAt: 'a time',
  endsAt: 'a time',
  costCents: 'a price',
  offerCents: 'an offer',
  year: 'the year',
  stars: '1 to 5 stars',
};

/**
 * Why a field is refused, as a person would say it. The schema's own sentence where it has one; what zod says
 * by itself ("Too small: expected string to have >=1 characters") is worded by the field's name and its
 * limit.
 */
export function sentenceOf(issue: z.core.$ZodIssue): string {
  // zod's own sentences end without a period, the schemas' with one.
  const own = /^(Invalid|Too (big|small)|Unrecognized|Not a|Expected)\b.*[^.]$/s.test(issue.message);
  if (!own) return issue.message;
  const name = String(issue.path.at(-1) ?? '');
  if (issue.code === 'too_big') {
    if (issue.origin === 'string') return `Please enter up to ${Number(issue.maximum)} characters.`;
    return issue.origin === 'array'
      ? `Please choose up to ${Number(issue.maximum)}.`
      : `Please enter ${fieldWords(name)} of up to ${Number(issue.maximum)}.`;
  }
  if (issue.code === 'too_small' && issue.origin !== 'string' && issue.origin !== 'array')
    return `Please enter ${fieldWords(name)} of at least ${Number(issue.minimum)}.`;
  return `Please enter ${fieldWords(name)}.`;
}

/**
 * "a departure time" of `departsAt`; a name without words of its own is written out: "flight number" of
 * `flightNumber`.
 */
function fieldWords(name: string): string {
  const known = wordsOfField[name];
  if (known !== undefined) return known;
  // An index of a list, or the body itself.
  if (!/[a-z]/i.test(name)) return 'a value';
  const unitless = name.replace(/(?<=[a-z])(Cents|Metres|Ms|At)$/, '');
  return unitless.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
