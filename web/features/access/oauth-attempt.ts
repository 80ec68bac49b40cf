import { z } from 'zod';

const attempt = z.object({
  /** What must come back beside the code: the sign-in began in this very browser. */
  state: z.string(),
  provider: z.string(),
  providerName: z.string(),
  /** Where the person was going. */
  returnTo: z.string().optional(),
});
export type OauthAttempt = z.output<typeof attempt>;

const key = 'sameway.outside';

/**
 * The sign-in that is on its way through an outside provider; it ends with the tab. Null where there is none.
 */
export function readAttempt(): OauthAttempt | null {
  try {
    return attempt.parse(JSON.parse(sessionStorage.getItem(key) ?? 'null'));
  } catch {
    return null;
  }
}

export function keepAttempt(value: OauthAttempt): void {
  sessionStorage.setItem(key, JSON.stringify(value));
}

export function forgetAttempt(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept there.
  }
}

/** Where providers send people back to: a page of this site, the same for all of them. */
export const landingAddress = (): string => `${location.origin}/pages/auth/oauth`;
