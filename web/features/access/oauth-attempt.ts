import * as shape from '../../core/shape.ts';

const attempt = shape.fields({
  /** Must come back with the code: it proves that the sign-in began in this very browser. */
  state: shape.text,
  provider: shape.text,
  providerName: shape.text,
  /** Where the person was going. */
  returnTo: shape.valueOf((raw) => raw === undefined || typeof raw === 'string'),
});
export type OauthAttempt = shape.Shaped<typeof attempt>;

const key = 'sameway.outside';

/**
 * The sign-in that is on its way through an outside provider; it ends with the tab. Null where there is none.
 */
export function readAttempt(): OauthAttempt | null {
  try {
    return attempt.safeParse(JSON.parse(sessionStorage.getItem(key) ?? 'null')).data ?? null;
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
    // Nothing was stored there.
  }
}

/** Where providers send people back to: a page of this site, the same for all of them. */
export const landingAddress = (): string => `${location.origin}/pages/auth/oauth`;
