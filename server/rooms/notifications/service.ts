import type { OutputOf } from '#contract/define.ts';
import {
  firstChoices,
  notificationChannels,
  notificationKinds,
  type NotificationChoices,
  type readSettings,
} from '#contract/notifications/endpoints.ts';
import type { Base } from '../../base/base.ts';
import { dayMs, later } from '../../base/clock.ts';
import { refuseField } from '../../base/refusal.ts';
import type { IdentityService } from '../identity/service.ts';
import { mayGoOutAt } from './rules/quiet-hours.ts';
import { kindOf, wordsOf, type News } from './rules/words.ts';
import * as store from './store.ts';

/** A notice that has gone out is only a memory, kept as long as somebody may ask about it. */
const rememberedMs = 30 * dayMs;

export type NotificationsService = ReturnType<typeof createNotifications>;

/** News that leaves the app, as each person has chosen: nothing without their consent, nothing in their quiet hours. */
export function createNotifications({ db, transact, clock, outbox, env }: Base, identity: IdentityService) {
  async function choices(userId: string): Promise<NotificationChoices> {
    return (await store.choicesOf(db, userId)) ?? firstChoices;
  }

  return {
    /** What a person has chosen, and what they agreed to. */
    async settings(userId: string): Promise<OutputOf<typeof readSettings>> {
      const [chosen, consents, details] = await Promise.all([
        choices(userId),
        identity.consents(userId),
        identity.contactDetails([userId]),
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
     * Writes down a piece of news for one person, for every channel they chose for its kind; nothing where they chose
     * none. The same source tells a person once.
     */
    async tell(
      userId: string,
      news: News,
      about: { source: string; otherId: string | null; order: store.OrderFacts; path: string },
    ): Promise<void> {
      const chosen = await choices(userId);
      const kind = kindOf[news];
      const channels = notificationChannels.filter((channel) => chosen.kinds[kind][channel]);
      if (!chosen.agreed || channels.length === 0) return;
      const person = (await identity.contactDetails([userId])).get(userId);
      if (person === undefined) return;
      const other =
        about.otherId === null ? undefined : (await identity.people([about.otherId])).get(about.otherId);
      const words = wordsOf(news, person.language, {
        name: other?.name ?? '',
        ...about.order,
        link: `${env.publicUrl}${about.path}`,
      });
      const dueAt = mayGoOutAt(chosen.quietHours, clock.now());
      for (const channel of channels) {
        if (channel === 'sms' && !person.phoneVerified) continue;
        const body = channel === 'sms' ? words.line : words.letter;
        const { source } = about;
        await store.insertNotice(db, { userId, source, kind, channel, subject: words.subject, body, dueAt });
      }
    },

    orderFacts: (of: { rideId: string } | { requestId: string }) => store.orderFacts(db, of),
    neighboursOf: (of: { rideId: string } | { requestId: string }) => store.neighboursOf(db, of),

    /** Hands over what is due. A choice taken back meanwhile counts: such a notice is dropped. */
    async sendDue(): Promise<void> {
      const now = clock.now();
      await transact(async (tx) => {
        for (const { userId, kind, channel, subject, body } of await store.takeDue(tx, now)) {
          const chosen = await choices(userId);
          const person = (await identity.contactDetails([userId])).get(userId);
          const wanted = Object.entries(chosen.kinds).some(([name, on]) => name === kind && on[channel]);
          if (person === undefined || !chosen.agreed || !wanted) continue;
          if (channel === 'email') await outbox.post(tx, { to: person.email, subject, text: body });
          else if (person.phoneVerified) await outbox.text(tx, { to: person.phone, text: body });
        }
      });
      await store.forgetSent(db, later(now, -rememberedMs));
    },
  };
}
