import { mostContacts } from '#contract/contacts/endpoints.ts';
import { notFound, Refusal } from '../../platform/refusal.ts';

export const personUnknown = () => notFound('contact.notFound', 'We couldn’t find this person.');
export const unable = () => notFound('contact.unable', 'Unable to contact.');
export const yourself = () => new Refusal('contact.self', 'That’s you.');
export const tooManyContacts = () =>
  new Refusal('contact.tooMany', `One of you has ${mostContacts} contacts, as many as one can have.`, {
    code: 409,
  });
