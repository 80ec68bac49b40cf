import type { InputOf } from '#contract/define.ts';
import type { connectDevice as connectCall } from '#contract/notifications/endpoints.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { devicesOf, dropDevice, keepDevice } from '../../platform/messages/push-devices.ts';
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
  { userId, sessionId }: Caller,
  { endpoint, keys }: InputOf<typeof connectCall>,
): Promise<{ devices: number }> {
  const { db, transact, clock, push } = context.platform;
  if (!push.knows(endpoint))
    throw refuseField('notification.pushService', 'endpoint', 'We can’t reach this browser’s push service.');
  const family = await familyOf(db, sessionId);
  if (family === null) throw noSession();
  await transact((tx) => keepDevice(tx, { userId, family, endpoint, ...keys, createdAt: clock.now() }));
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
