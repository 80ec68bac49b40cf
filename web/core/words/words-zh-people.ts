export { default as people } from '../../../locales/zh/people.json';
export { default as settings } from '../../../locales/zh/settings.json';
export { default as contacts } from '../../../locales/zh/contacts.json';
export { default as reviews } from '../../../locales/zh/reviews.json';
