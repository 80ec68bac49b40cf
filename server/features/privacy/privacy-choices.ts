import type { OutputOf } from '#contract/define.ts';
import type { PrivacyChoices, readPrivacy } from '#contract/privacy/endpoints.ts';
import type { App } from '../../app-type.ts';
import { noSession } from '../../platform/refusal.ts';
import { privacyOf } from '../identity/queries.ts';
import { latestConsents, savePrivacy } from '../identity/service.ts';

/** A person's privacy settings, consents, and when their account will be deleted. */
export async function readChoices(app: App, userId: string): Promise<OutputOf<typeof readPrivacy>> {
  const row = await privacyOf(app.db, userId);
  if (row === null) throw noSession();
  const { passwordHash, deletionDueAt, ...choices } = row;
  const consents = await latestConsents(app.db, userId);
  return {
    ...choices,
    consents: consents.map(({ document, version, given, at }) => ({
      document,
      version,
      given,
      at: at.toISOString(),
    })),
    deletionDueAt: deletionDueAt?.toISOString() ?? null,
    hasPassword: passwordHash !== '',
  };
}

/** Stores who may find a person. */
export async function saveChoices(
  { transact, outbox }: App,
  userId: string,
  choices: PrivacyChoices,
): Promise<PrivacyChoices> {
  await transact('save privacy choices', async (tx) => {
    await savePrivacy(tx, userId, choices);
    await outbox.emit(tx, 'profile.changed', { userId }, userId);
  });
  return choices;
}
