import {
  set,
  type FieldErrors,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormSetError,
} from 'react-hook-form';
import type { z } from 'zod';
import { fieldReasons, fieldWords, type Refused } from './errors.ts';

/**
 * Checks a form against the contract's own schema, so that a form refuses what the server would.
 * `useForm({ resolver: inputResolver(signupInput), defaultValues })`.
 */
export function inputResolver<I extends z.ZodObject>(schema: I): Resolver<z.input<I> & FieldValues> {
  return (values) => {
    const parsed = schema.safeParse(values);
    if (parsed.success) return { values: parsed.data as z.input<I> & FieldValues, errors: {} };
    const errors: FieldErrors<z.input<I> & FieldValues> = {};
    for (const issue of parsed.error.issues.toReversed()) {
      set(errors, issue.path.map(String).join('.') || 'root', {
        type: issue.code,
        message: fieldWords(issue.message),
      });
    }
    return { values: {}, errors };
  };
}

/**
 * Puts the server's field errors under the form's fields; true if at least one was shown, so that it can be
 * `onRefused` of `useAction`. Paths may carry a prefix in the request (`order.from`), which `prefix` takes
 * off.
 */
export function showFields<T extends FieldValues>(
  refused: Refused,
  setError: UseFormSetError<T>,
  prefix = '',
): boolean {
  const entries = fieldReasons(refused);
  for (const [path, words] of entries) {
    const name = path.startsWith(prefix) ? path.slice(prefix.length) : path;
    setError(name as Path<T>, { type: 'server', message: words }, { shouldFocus: true });
  }
  return entries.length > 0;
}
