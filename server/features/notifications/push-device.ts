import type { InputOf } from '#contract/define.ts';
import type {
  connectDevice as connectCall,
  connectPhone as connectPhoneCall,
} from '#contract/notifications/endpoints.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { devicesOf, dropDevice, keepDevice, type PushDevice } from '../../platform/messages/push-devices.ts';
import { noSession, refuseField } from '../../platform/refusal.ts';
import type { NotificationContext } from './context.ts';
import { familyOf, isSignedIn } from '../identity/queries.ts';

/** The number of devices on which a person receives pushes. */
export async function countDevices(
  { platform: { db, clock } }: NotificationContext,
  userId: string,
): Promise<number> {
  return (await devicesOf(db, userId, (family) => isSignedIn(family, clock.now()))).length;
}

/** Connects a device to pushes until its sign-in ends. Refuses `notification.pushService`. */
export async function connectDevice(
  context: NotificationContext,
  caller: Caller,
  { endpoint, keys }: InputOf<typeof connectCall>,
): Promise<{ devices: number }> {
  if (!context.platform.push.knows(endpoint))
    throw refuseField('notification.pushService', 'endpoint', 'We can’t reach this browser’s push service.');
  return connect(context, caller, { carrier: 'web', endpoint, ...keys });
}

/** Connects a phone app to pushes until its sign-in ends. Refuses `notification.phoneCarrier`. */
export async function connectPhone(
  context: NotificationContext,
  caller: Caller,
  { carrier, token }: InputOf<typeof connectPhoneCall>,
): Promise<{ devices: number }> {
  if (!context.platform.push.phones.includes(carrier))
    throw refuseField(
      'notification.phoneCarrier',
      'carrier',
      'We can’t send push messages to this phone yet.',
    );
  return connect(context, caller, { carrier, endpoint: token, p256dh: null, auth: null });
}

async function connect(
  context: NotificationContext,
  { userId, sessionId }: Caller,
  device: Pick<PushDevice, 'carrier' | 'endpoint' | 'p256dh' | 'auth'>,
): Promise<{ devices: number }> {
  const { db, transact, clock } = context.platform;
  const family = await familyOf(db, sessionId);
  if (family === null) throw noSession();
  await transact((tx) => keepDevice(tx, { ...device, userId, family, createdAt: clock.now() }));
  return { devices: await countDevices(context, userId) };
}

/** Stops pushes to one device of a person. */
export async function disconnectDevice(
  context: NotificationContext,
  userId: string,
  endpoint: string,
): Promise<{ devices: number }> {
  await context.platform.transact((tx) => dropDevice(tx, userId, endpoint));
  return { devices: await countDevices(context, userId) };
}
