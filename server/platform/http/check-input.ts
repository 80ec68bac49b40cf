import { z } from 'zod';
import { Refusal } from '../refusal.ts';

/** The key that makes a repeated call the same call; null without one. @throws Refusal `input.invalid` */
export function idempotencyKeyOf(body: unknown): string | null {
  const key: unknown =
    typeof body === 'object' && body !== null && 'idempotencyKey' in body ? body.idempotencyKey : undefined;
  if (key === undefined || key === '') return null;
  const parsed = z.uuid().safeParse(key);
  if (parsed.success) return parsed.data;
  const info = 'idempotencyKey must be a UUID.';
  throw new Refusal('input.invalid', info, { data: { fields: { idempotencyKey: info } } });
}

/** No call needs half as many levels; recursive code would overflow the stack with thousands. */
const mostLevels = 20;

/** Whether objects and lists of a body are nested deeper than any call needs; checks level by level. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= mostLevels; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/**
 * The checked input of an endpoint.
 * @throws Refusal `input.invalid` with a sentence for each refused field.
 */
export function checkInput<I extends z.ZodObject>(schema: I, source: unknown): z.output<I> {
  if (isTooDeep(source)) {
    const info = 'The input is nested too deeply.';
    throw new Refusal('input.invalid', info, { data: { fields: { body: info } } });
  }
  const parsed = schema.safeParse(source);
  const fields: Record<string, string> = {};
  // PostgreSQL cannot store a zero character, and no person types one.
  if (parsed.success && JSON.stringify(source).includes('\\u0000'))
    fields['body'] = 'Please remove the zero characters.';
  else if (parsed.success) return parsed.data;
  for (const issue of parsed.error?.issues ?? [])
    fields[issue.path.join('.') || 'body'] ??= sentenceOf(issue);
  const [first] = Object.values(fields);
  throw new Refusal('input.invalid', first ?? 'The input is not valid.', { data: { fields } });
}

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
