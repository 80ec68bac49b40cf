import type { Device } from './device.ts';
import { webDevice } from './web-device.ts';

declare global {
  interface Window {
    /** The phone app puts it into the page before any script runs. */
    Capacitor?: { isNativePlatform?: () => boolean };
  }
}

let current: Device = webDevice;

/** The device this runs on. */
export const device = (): Device => current;

/** In the phone app, puts the phone behind `device`. Called once, at launch, before anything is shown. */
export async function startDevice(): Promise<void> {
  if (window.Capacitor?.isNativePlatform?.() !== true) return;
  const { createPhoneDevice } = await import('./phone-device.ts');
  current = createPhoneDevice();
}
