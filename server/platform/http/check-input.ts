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

/**
 * What an endpoint takes, checked.
 * @throws Refusal `input.invalid` with a sentence for each refused field.
 */
export function checkInput<I extends z.ZodObject>(schema: I, source: unknown): z.output<I> {
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
