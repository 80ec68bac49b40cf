/** A link by itself between forms: "New here? Sign up". */
export const textLink =
  '-ml-1 inline-flex min-h-11 items-center self-start rounded-small px-1 font-semibold text-brand-ink underline-offset-4 hover:underline';

/** A link inside a sentence. */
export const inlineLink = 'font-semibold text-brand-ink underline underline-offset-2';
