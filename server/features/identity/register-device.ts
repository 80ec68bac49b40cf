import type { z } from 'zod';
import type * as user from '#contract/user/endpoints.ts';
import type { App } from '../../app-type.ts';
import * as store from './store.ts';

/** Records the device on launch; one row per browser and screen. */
export async function registerDevice(
  { transact }: App,
  userId: string,
  device: z.output<typeof user.registerDevice.input>,
): Promise<void> {
  await transact('register device', (tx) =>
    store.keepDevice(tx, {
      ...device,
      userId,
      lastLaunchTime: new Date(device.lastLaunchTime),
      createTime: new Date(device.createTime),
    }),
  );
}
