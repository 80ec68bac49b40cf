import type { scanCode as scanCall } from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import { refuseField } from '../../platform/refusal.ts';
import { invitationPurpose } from '../identity/service.ts';
import { applyForContact } from './apply-for-contact.ts';
import { readPerson } from './list-contacts.ts';
import { meetPerson } from './meet-person.ts';
import { qrLifeMs } from './policy.ts';
import { codeIn } from './rules/scanned.ts';

const qrPurpose = 'contact qr';

/** A code that makes the person who scans it within ten minutes a contact of its owner. */
export async function makeQrCode(
  { clock, signedTokens }: App,
  personId: string,
): Promise<{ code: string; expiresAt: string }> {
  const expiresAt = later(clock.now(), qrLifeMs);
  return {
    code: await signedTokens.sign(qrPurpose, [personId], expiresAt),
    expiresAt: expiresAt.toISOString(),
  };
}

/**
 * Redeems a scanned code. Refuses `contact.qrInvalid` for a text that is no valid code of this app,
 * `contact.self`, `contact.unable`, `contact.deniedLately`.
 */
export async function scanCode(
  app: App,
  scannerId: string,
  scanned: string,
): Promise<OutputOf<typeof scanCall>> {
  const { signedTokens } = app;
  const code = codeIn(scanned);
  const shownBy = (await signedTokens.verify(qrPurpose, code))?.[0];
  const invitedBy = (await signedTokens.verify(invitationPurpose, code))?.[0];
  const otherId = shownBy ?? invitedBy;
  if (otherId === undefined) throw refuseField('contact.qrInvalid', 'code', 'Invalid QR Code.');
  // An invitation may have been forwarded: only a person who signs up by it is a contact at once.
  if (shownBy === undefined)
    await applyForContact(app, scannerId, otherId, { message: '', origin: 'INVITE' });
  else await meetPerson(app, scannerId, otherId);
  const { person, relation } = await readPerson(app, scannerId, otherId);
  return { person, relation };
}
