import type { PasskeySignature } from '#contract/access/second-factor.ts';

/**
 * Whether this browser supports passkeys here: most browsers do, most web views do not, and none does for an
 * IP address.
 */
export const canUsePasskeys = (): boolean =>
  'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname);

/**
 * Asks the device to sign the server's challenge with a passkey; null if the person cancels, or there is
 * none.
 */
export async function signWithPasskey(options: { challenge: string }): Promise<PasskeySignature | null> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  try {
    const signed = await startAuthentication({ optionsJSON: options });
    const { clientDataJSON, authenticatorData, signature, userHandle } = signed.response;
    return {
      id: signed.id,
      rawId: signed.rawId,
      type: signed.type,
      response: { clientDataJSON, authenticatorData, signature, userHandle },
    };
  } catch {
    return null;
  }
}
