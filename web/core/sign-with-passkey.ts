import type { PasskeySignature } from '#contract/access/second-factor.ts';

/** Most browsers can, most web views cannot, and none can for an address without a name. */
export const canUsePasskeys = (): boolean =>
  'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname);

/**
 * Has the device sign what the server asks with a passkey; null where the person leaves it, or there is none.
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
