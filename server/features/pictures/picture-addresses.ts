import type { App } from '../../app-type.ts';
import { minuteMs } from '../../platform/clock.ts';

const addressStepMs = 5 * minuteMs;
/** The public address of files below `public/`. */
const publicAddress = '/files/';

export const publicAddressOf = (objectKey: string): string =>
  publicAddress + objectKey.slice('public/'.length);

/**
 * An address of a picture with a signed token, valid for five to ten minutes. The calling feature decides who
 * may get it. Addresses made within the same five minutes are equal, so that a page that reloads its data
 * does not fetch its pictures again.
 */
export async function signedAddress({ clock, signedTokens }: App, pictureId: string): Promise<string> {
  const endsAt = (Math.ceil(clock.now().getTime() / addressStepMs) + 1) * addressStepMs;
  return `/files/private/${await signedTokens.sign('picture', [pictureId], new Date(endsAt))}`;
}
