import type { InputOf } from '#contract/define.ts';
import type {
  connectDevice as connectCall,
  connectPhone as connectPhoneCall,
} from '#contract/notifications/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { devicesOf, dropDevice, keepDevice, type PushDevice } from '../../platform/messages/push-devices.ts';
import { noSession, refuseField } from '../../platform/refusal.ts';
import { familyOf, isSignedIn } from '../identity/queries.ts';

/** The number of devices on which a person receives pushes. */
export async function countDevices({ db, clock }: App, userId: string): Promise<number> {
  return (await devicesOf(db, userId, (family) => isSignedIn(family, clock.now()))).length;
}

/** Connects a device to pushes until its sign-in ends. Refuses `notification.pushService`. */
export async function connectDevice(
  app: App,
  caller: Caller,
  { endpoint, keys }: InputOf<typeof connectCall>,
): Promise<{ devices: number }> {
  if (!app.push.knows(endpoint))
    throw refuseField('notification.pushService', 'endpoint', 'We can’t reach this browser’s push service.');
  return connect(app, caller, { carrier: 'web', endpoint, ...keys });
}

/** Connects a phone app to pushes until its sign-in ends. Refuses `notification.phoneCarrier`. */
export async function connectPhone(
  app: App,
  caller: Caller,
  { carrier, token }: InputOf<typeof connectPhoneCall>,
): Promise<{ devices: number }> {
  if (!app.push.phones.includes(carrier))
    throw refuseField(
      'notification.phoneCarrier',
      'carrier',
      'We can’t send push messages to this phone yet.',
    );
  return connect(app, caller, { carrier, endpoint: token, p256dh: null, auth: null });
}

async function connect(
  app: App,
  { userId, sessionId }: Caller,
  device: Pick<PushDevice, 'carrier' | 'endpoint' | 'p256dh' | 'auth'>,
): Promise<{ devices: number }> {
  const { db, transact, clock } = app;
  const family = await familyOf(db, sessionId);
  if (family === null) throw noSession();
  await transact('connect device', (tx) =>
    keepDevice(tx, { ...device, userId, family, createdAt: clock.now() }),
  );
  return { devices: await countDevices(app, userId) };
}

/** Stops pushes to one device of a person. */
export async function disconnectDevice(
  app: App,
  userId: string,
  endpoint: string,
): Promise<{ devices: number }> {
  await app.transact('disconnect device', (tx) => dropDevice(tx, userId, endpoint));
  return { devices: await countDevices(app, userId) };
}
