import type { OutputOf } from '#contract/define.ts';
import type { PrivacyChoices, readPrivacy } from '#contract/privacy/endpoints.ts';
import { noSession } from '../../platform/refusal.ts';
import type { PrivacyContext } from './context.ts';
import { privacyOf } from '../identity/queries.ts';

/** Who may find a person, what they agreed to, and when their account will be deleted. */
export async function readChoices(
  { identity, platform: { db } }: PrivacyContext,
  userId: string,
): Promise<OutputOf<typeof readPrivacy>> {
  const row = await privacyOf(db, userId);
  if (row === null) throw noSession();
  const { passwordHash, deletionDueAt, ...choices } = row;
  const consents = await identity.consents(userId);
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
  { identity, platform: { transact, outbox } }: PrivacyContext,
  userId: string,
  choices: PrivacyChoices,
): Promise<PrivacyChoices> {
  await transact(async (tx) => {
    await identity.deletion.savePrivacy(tx, userId, choices);
    await outbox.emit(tx, 'profile.changed', { userId }, userId);
  });
  return choices;
}
