/** Replaces a secret. */
const dots = '••••';

/**
 * A text as others than its reader may see it.
 * @param secrets codes, and addresses that open something, as they stand in the text
 */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.filter(Boolean).reduce((left, secret) => left.replaceAll(secret, dots), text);
