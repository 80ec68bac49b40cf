export { configInPage } from './read-config.ts';
