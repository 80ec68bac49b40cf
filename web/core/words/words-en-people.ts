export { default as people } from '../../../locales/en/people.json';
export { default as settings } from '../../../locales/en/settings.json';
export { default as contacts } from '../../../locales/en/contacts.json';
export { default as reviews } from '../../../locales/en/reviews.json';
