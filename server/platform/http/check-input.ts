import { z } from 'zod';
import { Refusal } from '../refusal.ts';
import { sentenceOf } from './input-errors.ts';

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
