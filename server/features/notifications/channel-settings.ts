import type { InputOf, OutputOf } from '#contract/define.ts';
import {
  notificationKinds,
  type connectDevice,
  type NotificationChoices,
  type NotificationKind,
  type readSettings,
} from '#contract/notifications/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { devicesOf, dropDevice, keepDevice } from '../../platform/messages/push-devices.ts';
import { noSession, Refusal, refuseField } from '../../platform/refusal.ts';
import { familyOf, isSignedIn } from '../identity/queries.ts';
import type { IdentityService } from '../identity/service.ts';
import { completeChoices } from './rules/choices.ts';
import * as store from './store.ts';

/** What each person wants to be told, on which devices and channels, and when not. */
export function createChannelSettings(
  { db, transact, clock, push, signedTokens }: Platform,
  identity: IdentityService,
) {
  const choices = async (userId: string): Promise<NotificationChoices> =>
    completeChoices(await store.choicesOf(db, userId));
  const devices = async (userId: string): Promise<number> =>
    (await devicesOf(db, userId, (family) => isSignedIn(family, clock.now()))).length;

  return {
    /** What a person has chosen, and what they agreed to. */
    async settings(userId: string): Promise<OutputOf<typeof readSettings>> {
      const [chosen, consents, details, publicKey, connected] = await Promise.all([
        choices(userId),
        identity.consents(userId),
        identity.contactDetails([userId]),
        push.publicKey(),
        devices(userId),
      ]);
      const consent = consents.find(({ document }) => document === 'optin');
      const own = details.get(userId);
      return {
        choices: chosen,
        consent:
          consent === undefined
            ? null
            : { given: consent.given, version: consent.version, at: consent.at.toISOString() },
        phone: own?.phoneVerified === true ? own.phone : '',
        email: own?.email ?? '',
        push: { publicKey, devices: connected },
      };
    },

    /**
     * Keeps them; agreeing and taking it back are recorded. Refuses `notification.phoneUnverified` for text messages
     * newly asked for without a verified phone.
     */
    async save(userId: string, chosen: NotificationChoices): Promise<NotificationChoices> {
      const before = await choices(userId);
      const details = (await identity.contactDetails([userId])).get(userId);
      // A number that was taken away since stays chosen, and gets nothing: saving something else must not fail on it.
      const newSms = notificationKinds.some((kind) => chosen.kinds[kind].sms && !before.kinds[kind].sms);
      if (newSms && details?.phoneVerified !== true)
        throw refuseField(
          'notification.phoneUnverified',
          'kinds',
          'Please verify your phone number first, to receive text messages.',
        );
      const now = clock.now();
      await transact(async (tx) => {
        await store.keepChoices(tx, userId, chosen, now);
        if (chosen.agreed !== before.agreed) await identity.sayOptIn(tx, userId, chosen.agreed, now);
      });
      return chosen;
    },

    /**
     * Ends emails of one kind, or of all, for whoever the code in an email was sealed for. Refuses `notification.linkOver`.
     */
    async unsubscribe({
      kind,
      code,
      all,
    }: {
      kind: NotificationKind;
      code: string;
      all: boolean;
    }): Promise<void> {
      const [userId] = (await signedTokens.verify(`unsubscribe ${kind}`, code)) ?? [];
      const known = userId !== undefined && (await identity.contactDetails([userId])).has(userId);
      if (!known)
        throw new Refusal('notification.linkOver', 'This link is over or incomplete.', { code: 404 });
      const chosen = await choices(userId);
      const ended = (each: NotificationKind) => (all || each === kind ? false : chosen.kinds[each].email);
      const kinds = Object.fromEntries(
        notificationKinds.map((each) => [each, { ...chosen.kinds[each], email: ended(each) }]),
      ) as NotificationChoices['kinds'];
      await transact((tx) => store.keepChoices(tx, userId, { ...chosen, kinds }, clock.now()));
    },

    /** Connects a device until the sign-in it has ends. Refuses `notification.pushService`. */
    async connectDevice(
      { userId, sessionId }: Caller,
      { endpoint, keys }: InputOf<typeof connectDevice>,
    ): Promise<{ devices: number }> {
      if (!push.knows(endpoint))
        throw refuseField(
          'notification.pushService',
          'endpoint',
          'This server does not send to the push service of this browser.',
        );
      const family = await familyOf(db, sessionId);
      if (family === null) throw noSession();
      await transact((tx) => keepDevice(tx, { userId, family, endpoint, ...keys, createdAt: clock.now() }));
      return { devices: await devices(userId) };
    },

    async disconnectDevice(userId: string, endpoint: string): Promise<{ devices: number }> {
      await transact((tx) => dropDevice(tx, userId, endpoint));
      return { devices: await devices(userId) };
    },
  };
}
