import { notFound, Refusal } from '../../platform/refusal.ts';

export const personUnknown = () => notFound('contact.notFound', 'This person could not be found.');
export const unable = () => notFound('contact.unable', 'Unable to contact.');
export const yourself = () => new Refusal('contact.self', 'That is you.');
