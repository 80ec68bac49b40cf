import type { Platform } from '../../platform/platform.ts';
import { minuteMs } from '../../platform/clock.ts';
import type { IdentityService } from '../identity/service.ts';

/** What every command about pictures works with. */
export interface PictureContext {
  platform: Platform;
  identity: IdentityService;
}

const addressStepMs = 5 * minuteMs;
/** Where everybody finds what lies below `public/`. */
const publicAddress = '/files/';

export const publicAddressOf = (objectKey: string): string =>
  publicAddress + objectKey.slice('public/'.length);

/**
 * Where a picture can be looked at for five to ten minutes, by a signed token. Who may have the address is
 * for the asking feature to decide. Addresses made within the same five minutes are the same, so that a page
 * that reads its data again does not fetch its pictures again.
 */
export async function signedAddress(
  { platform: { clock, signedTokens } }: PictureContext,
  pictureId: string,
): Promise<string> {
  const endsAt = (Math.ceil(clock.now().getTime() / addressStepMs) + 1) * addressStepMs;
  return `/files/private/${await signedTokens.sign('picture', [pictureId], new Date(endsAt))}`;
}
