import type {
  ContactOrigin,
  FoundPerson,
  importContacts,
  scanCode,
  searchPeople,
} from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { email } from '#contract/access/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import { later } from '../../platform/clock.ts';
import { Refusal, refuseField } from '../../platform/refusal.ts';
import { invitationPurpose, parsePhone, type IdentityService } from '../identity/service.ts';
import type { createRelations } from './relations.ts';
import { inviteLifeMs, invitedTries, qrLifeMs, relationOf, ticketLifeMs } from './policy.ts';
import { invitationEmail } from './rules/emails.ts';
import { invitationSms } from './rules/sms.ts';
import { codeIn } from './rules/scanned.ts';
import { searchedBy } from './rules/search-text.ts';
import * as store from './store.ts';

const mostFound = 30;
const qrPurpose = 'contact qr';
/** How somebody was found, kept in the ticket so that nobody can tell it differently. */
const ticketOrigins = ['PHONE_NUMBER', 'PHONE_CONTACT'] as const satisfies ContactOrigin[];
const ticketPurpose = (origin: ContactOrigin) => `found ${origin}`;

/** How people find each other: search, QR codes, address books, invitations. */
export function createPeopleSearch(
  platform: Platform,
  identity: IdentityService,
  knowing: ReturnType<typeof createRelations>,
) {
  const { db, transact, clock, outbox, tries, signedTokens, env } = platform;

  async function found(
    viewerId: string,
    ids: readonly string[],
    origin: ContactOrigin,
  ): Promise<FoundPerson[]> {
    const [people, standings] = await Promise.all([identity.people(ids), store.standings(db, viewerId, ids)]);
    const endsAt = later(clock.now(), ticketLifeMs);
    const views = ids.map(async (id) => {
      const [person, standing] = [people.get(id), standings.get(id)];
      if (person === undefined || standing === undefined) return null;
      const ticket =
        origin === 'DIRECT' ? '' : await signedTokens.sign(ticketPurpose(origin), [viewerId, id], endsAt);
      return { person, relation: relationOf(standing), ticket };
    });
    return (await Promise.all(views)).filter((view) => view !== null);
  }

  /** The code of a person's invitation link. */
  async function inviteCode(personId: string): Promise<{ code: string; expiresAt: string }> {
    const expiresAt = later(clock.now(), inviteLifeMs);
    return {
      code: await signedTokens.sign(invitationPurpose, [personId], expiresAt),
      expiresAt: expiresAt.toISOString(),
    };
  }

  return {
    /** People who can be found by this text. Refuses `contact.searchShort`. */
    async search(viewerId: string, text: string): Promise<OutputOf<typeof searchPeople>> {
      const by = searchedBy(text, parsePhone);
      if (by === null)
        throw refuseField('contact.searchShort', 'text', 'Please enter at least 2 letters of the name.');
      const ids = await store.findPeople(db, viewerId, by, mostFound);
      const kind = 'email' in by ? 'email' : 'phone' in by ? 'phone' : 'name';
      return { by: kind, people: await found(viewerId, ids, kind === 'phone' ? 'PHONE_NUMBER' : 'DIRECT') };
    },

    /** How a ticket's holder found the other; without a sound ticket, directly. */
    async originOf(viewerId: string, otherId: string, ticket: string): Promise<ContactOrigin> {
      for (const origin of ticketOrigins) {
        const ids = await signedTokens.verify(ticketPurpose(origin), ticket);
        if (ids !== null && ids[0] === viewerId && ids[1] === otherId) return origin;
      }
      return 'DIRECT';
    },

    /** A code that makes whoever scans it within ten minutes a contact of the person. */
    async qrCode(personId: string): Promise<{ code: string; expiresAt: string }> {
      const expiresAt = later(clock.now(), qrLifeMs);
      return {
        code: await signedTokens.sign(qrPurpose, [personId], expiresAt),
        expiresAt: expiresAt.toISOString(),
      };
    },

    /**
     * What a scanned code leads to. Refuses `contact.qrInvalid` for whatever is not a sound code of ours,
     * `contact.self`, `contact.unable`, `contact.deniedLately`.
     */
    async scan(scannerId: string, scanned: string): Promise<OutputOf<typeof scanCode>> {
      const code = codeIn(scanned);
      const shownBy = (await signedTokens.verify(qrPurpose, code))?.[0];
      const invitedBy = (await signedTokens.verify(invitationPurpose, code))?.[0];
      const otherId = shownBy ?? invitedBy;
      if (otherId === undefined) throw refuseField('contact.qrInvalid', 'code', 'Invalid QR Code.');
      // An invitation may have been passed on to anybody: only who signs up by it is a contact at once.
      if (shownBy === undefined) await knowing.apply(scannerId, otherId, { message: '', origin: 'INVITE' });
      else await knowing.meet(scannerId, otherId);
      const { person, relation } = await knowing.detail(scannerId, otherId);
      return { person, relation };
    },

    /** The salt of a person's own address book. */
    importSalt: (personId: string): Promise<string> => signedTokens.derive('address book', personId),

    /** Whom of an address book's salted numbers can be found by phone. Nothing is stored. */
    async importNumbers(
      personId: string,
      hashes: readonly string[],
    ): Promise<OutputOf<typeof importContacts>> {
      const salt = await signedTokens.derive('address book', personId);
      const matches = await store.findByNumberHash(db, personId, salt, [...new Set(hashes)]);
      // The answer names places, not hashes: a kept answer must not keep a part of the address book.
      const indexOf = new Map(matches.map(({ id, hash }) => [id, hashes.indexOf(hash)]));
      const people = await found(personId, [...indexOf.keys()], 'PHONE_CONTACT');
      return { people: people.map((each) => ({ ...each, index: indexOf.get(each.person.id)! })) };
    },

    inviteCode,

    /**
     * Sends the person's invitation by e-mail or SMS; the address is not kept.
     * Refuses `access.emailInvalid`, `access.phoneInvalid`, `contact.invitedLately`.
     */
    async invite(personId: string, { by, to }: { by: 'email' | 'sms'; to: string }): Promise<void> {
      const address = by === 'email' ? emailOf(to) : phoneOf(to);
      try {
        await tries.count(`invitedPerDay:${await signedTokens.derive('invited', address)}`, invitedTries);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        throw refuseField(
          'contact.invitedLately',
          'to',
          'They have been invited lately. Please share your link instead.',
        );
      }
      const [person, details] = await Promise.all([
        identity.people([personId]),
        identity.contactDetails([personId]),
      ]);
      const name = person.get(personId)?.name ?? '';
      const language = details.get(personId)?.language ?? 'en';
      const { code } = await inviteCode(personId);
      const link = `${env.publicUrl}/intro?inviter=${code}`;
      await transact(async (tx) => {
        if (by === 'email') await outbox.post(tx, { to: address, ...invitationEmail(language, name, link) });
        else await outbox.text(tx, { to: address, ...invitationSms(language, name, link) });
      });
    },
  };
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
