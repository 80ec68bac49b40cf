import { z } from 'zod';
import { email, phone } from '#contract/access/endpoints.ts';

/**
 * Anything made of digits and the marks people write between them is a phone number; the rest is an e-mail.
 */
export const looksLikePhone = (account: string): boolean => /^\+?[\d\s().-]{3,}$/.test(account);

/** How an account is named at the door: by its e-mail or its phone number. */
export const account = z
  .string()
  .trim()
  .min(1, 'Please enter your email or phone number.')
  .refine((typed) => looksLikePhone(typed) || email.safeParse(typed).success, 'Email format error.')
  .pipe(phone.or(email));

/** The same as calls take it. */
export const namedBy = (typed: string): { phone: string } | { email: string } =>
  looksLikePhone(typed) ? { phone: typed } : { email: typed };
