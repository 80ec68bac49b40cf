import { useCallback, useEffect, useState } from 'react';
import {
  connectDevice,
  connectPhone,
  disconnectDevice,
  disconnectPhone,
  readSettings,
} from '#contract/notifications/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { call } from '../../core/api.ts';
import type { PushAddress } from '../../core/device/device.ts';
import { device } from '../../core/device/this-device.ts';
import { i18n } from '../../core/i18n.ts';
import { registerThisDevice } from '../../core/launch.ts';
import { invalidate } from '../../core/query-client.ts';
import { isSignedIn, readSession } from '../../core/session.ts';
import { stored } from '../../core/stored.ts';

/** The state of push messages on this device. */
export type PushState = 'unsupported' | 'installFirst' | 'blocked' | 'off' | 'on';

/** What the server says of push messages. */
export type PushOffer = OutputOf<typeof readSettings>['push'];

/** A person who switched it on here: another person who signs in on the same device has not asked for it. */
const switchedOnBy = stored('push', (raw) => (typeof raw === 'string' ? raw : ''));

async function stateNow({ phones }: PushOffer): Promise<PushState> {
  const push = await device().push();
  const standing = await push.standing(phones);
  if (standing === 'askable') return 'off';
  if (standing !== 'allowed') return standing;
  return (await push.address()) !== null && switchedOnBy.read() === readSession().id ? 'on' : 'off';
}

/** Subscribes this device and tells the server. */
async function connect({ publicKey }: PushOffer): Promise<void> {
  const push = await device().push();
  const address = await push.subscribe({ publicKey, channel: i18n.t('notifications:device.channel') });
  await tell(address);
  await registerThisDevice();
}

const tell = (address: PushAddress) =>
  address.kind === 'phone'
    ? call(connectPhone, { carrier: address.carrier, token: address.token }, { quiet: true })
    : call(
        connectDevice,
        { endpoint: address.endpoint, keys: { p256dh: address.p256dh, auth: address.auth } },
        { quiet: true },
      );

async function disconnect(): Promise<void> {
  const push = await device().push();
  const address = await push.address();
  if (address === null) return;
  if (address.kind === 'phone') await call(disconnectPhone, { token: address.token }, { quiet: true });
  else await call(disconnectDevice, { endpoint: address.endpoint }, { quiet: true });
  await push.unsubscribe();
}

/**
 * Connects the device again where its person had switched push messages on: its subscription may have been
 * renewed, and the one of an earlier sign-in has ended with it. Called at every launch and after signing in.
 */
export async function renewPush(): Promise<void> {
  const user = readSession();
  if (!isSignedIn(user) || switchedOnBy.read() !== user.id) return;
  const { push: offer } = await call(readSettings, {}, { quiet: true });
  const push = await device().push();
  if ((await push.standing(offer.phones)) === 'allowed') await connect(offer);
}

/**
 * The state of push messages on this device, and the switch. `failed` says that the last try came to nothing.
 */
export function usePush(offer: PushOffer): {
  state: PushState | null;
  busy: boolean;
  failed: boolean;
  turn: (on: boolean) => void;
} {
  const [state, setState] = useState<PushState | null>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const look = useCallback(() => stateNow(offer).then(setState, () => setState('unsupported')), [offer]);
  useEffect(() => {
    void look();
  }, [look]);

  async function turn(on: boolean): Promise<void> {
    setBusy(true);
    setFailed(false);
    try {
      const isOn = on && (await (await device().push()).ask());
      if (!on) await disconnect();
      else if (isOn) await connect(offer);
      switchedOnBy.write(isOn ? readSession().id : '');
      await invalidate('/notification/settings');
    } catch {
      setFailed(true);
    }
    await look();
    setBusy(false);
  }
  return { state, busy, failed, turn: (on) => void turn(on) };
}
