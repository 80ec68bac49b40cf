import { notFound, Refusal } from '../../platform/refusal.ts';

export const personUnknown = () => notFound('contact.notFound', 'We couldn’t find this person.');
export const unable = () => notFound('contact.unable', 'Unable to contact.');
export const yourself = () => new Refusal('contact.self', 'That’s you.');
