import type { NewPasskey } from '#contract/access/second-factor.ts';

/**
 * Asks the device to create a passkey. `known` if it already has one for this account; null if the person
 * cancels, or the device cannot.
 */
export async function makePasskey(options: { challenge: string }): Promise<NewPasskey | 'known' | null> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  try {
    const made = await startRegistration({ optionsJSON: options as never });
    const { clientDataJSON, attestationObject, transports } = made.response;
    const response = { clientDataJSON, attestationObject };
    return {
      id: made.id,
      rawId: made.rawId,
      type: made.type,
      response: transports === undefined ? response : { ...response, transports },
    };
  } catch (error) {
    return error instanceof Error && error.name === 'InvalidStateError' ? 'known' : null;
  }
}
