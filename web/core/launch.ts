import { useSyncExternalStore } from 'react';
import { registerDevice } from '#contract/user/endpoints.ts';
import { call } from './api.ts';
import { now } from './clock.ts';
import { device } from './device/this-device.ts';
import { currentLanguage } from './i18n.ts';
import { isSignedIn, readSession } from './session.ts';
import { stored } from './stored.ts';

const intro = stored('introSeen', (raw) => raw === true);
const ignored = stored('upgradeIgnored', (raw) => raw === true);
const firstLaunch = stored('firstLaunch', (raw) => (typeof raw === 'number' ? raw : 0));

/** As much of a push address as the server keeps; they are far shorter. */
const mostOfAddress = 500;

/** Whether the introduction was shown (or skipped) in this browser. */
export const useIntroSeen = (): boolean => useSyncExternalStore(intro.subscribe, intro.read);
/** The introduction page calls this when it ends or is skipped. */
export const rememberIntro = (): void => intro.write(true);

/** Whether the person chose "later" for the newer version since the last launch. */
export const upgradeIgnored = ignored.read;
export const useUpgradeIgnored = (): boolean => useSyncExternalStore(ignored.subscribe, ignored.read);
export const ignoreUpgrade = (): void => ignored.write(true);

/**
 * On every launch: the app may ask about an upgrade again, and a signed-in device registers itself.
 * @param firstScreen resolves when the network is free for the latter.
 */
export function launched(firstScreen: Promise<void> = Promise.resolve()): void {
  ignored.write(false);
  if (firstLaunch.read() === 0) firstLaunch.write(now());
  void firstScreen.then(registerThisDevice);
}

/** Tells the server of this device, where a person is signed in; again once push messages reach it. */
export async function registerThisDevice(): Promise<void> {
  if (!isSignedIn(readSession())) return;
  const device = {
    pushCid: await pushAddress().catch(() => ''),
    lastLaunchTime: now(),
    createTime: firstLaunch.read(),
    clientType: 'H5',
    platform: navigator.platform.slice(0, 100),
    userAgent: navigator.userAgent.slice(0, 500),
    language: currentLanguage(),
    screen: `${screen.width}x${screen.height}`,
  };
  // Nothing waits for this and nothing depends on it.
  await call(registerDevice, device, { quiet: true }).catch(() => {});
}

/** Where push messages reach this device; empty where none do. */
async function pushAddress(): Promise<string> {
  const address = await (await device().push()).address();
  if (address === null) return '';
  return (address.kind === 'phone' ? address.token : address.endpoint).slice(0, mostOfAddress);
}
