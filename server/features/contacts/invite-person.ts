import { email } from '#contract/access/endpoints.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import type { Sms } from '../../platform/messages/sms.ts';
import { translate, type Language } from '../../platform/messages/translate.ts';
import { Refusal, refuseField } from '../../platform/refusal.ts';
import { invitationPurpose, parsePhone, peopleByIds, contactDetailsOf } from '../identity/service.ts';
import { invitedTries, inviteLifeMs } from './policy.ts';
import { invitationEmail } from './rules/emails.ts';

/** The code of a person's invitation link. */
export async function inviteCode(
  { clock, signedTokens }: App,
  personId: string,
): Promise<{ code: string; expiresAt: string }> {
  const expiresAt = later(clock.now(), inviteLifeMs);
  return {
    code: await signedTokens.sign(invitationPurpose, [personId], expiresAt),
    expiresAt: expiresAt.toISOString(),
  };
}

/**
 * Sends the person's invitation by email or SMS; the address is not stored. Refuses `access.emailInvalid`,
 * `access.phoneInvalid`, `contact.invitedLately`.
 */
export async function invitePerson(
  app: App,
  personId: string,
  { by, to }: { by: 'email' | 'sms'; to: string },
): Promise<void> {
  const { transact, outbox, env, signedTokens, tries } = app;
  const address = by === 'email' ? emailOf(to) : phoneOf(to);
  try {
    await tries.count(`invitedPerDay:${await signedTokens.derive('invited', address)}`, invitedTries);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw refuseField(
      'contact.invitedLately',
      'to',
      'They were invited recently. Please share your link instead.',
    );
  }
  const [person, details] = await Promise.all([
    peopleByIds(app, [personId]),
    contactDetailsOf(app, [personId]),
  ]);
  const name = person.get(personId)?.name ?? '';
  const language = details.get(personId)?.language ?? 'en';
  const { code } = await inviteCode(app, personId);
  const link = `${env.publicUrl}/intro?inviter=${code}`;
  await transact('invite person', async (tx) => {
    if (by === 'email') await outbox.post(tx, { to: address, ...invitationEmail(language, name, link) });
    else await outbox.text(tx, { to: address, ...invitationSms(language, name, link) });
  });
}

function emailOf(typed: string): string {
  const parsed = email.safeParse(typed);
  if (!parsed.success) throw refuseField('access.emailInvalid', 'to', 'Email format error.');
  return parsed.data;
}

function phoneOf(typed: string): string {
  const number = parsePhone(typed);
  if (number === null) throw refuseField('access.phoneInvalid', 'to', 'Please enter a valid phone number.');
  return number.phone;
}

/** The invitation of `invitationEmail`, as short as an SMS must be. */
const invitationSms = (language: Language, name: string, link: string): Omit<Sms, 'to'> => ({
  text: translate(language)('sms:invitation', { name, link }),
  secrets: [link],
});
