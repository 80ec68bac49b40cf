import path from 'node:path';
import type { Rollup } from 'vite';
import { checksInput, iconsOf, modulesWith } from './words-of-pages.ts';
import { hasSchemas } from './thin-contract.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const pathOf = (id: string) => path.relative(root, id).replaceAll('\\', '/');
const home = modulesWith('web/pages/carpool/driver.tsx');
const homeIcons = iconsOf(home);
const isOfHome = (id: string): boolean => home.has(pathOf(id));
const isIconOfHome = (id: string): boolean =>
  homeIcons.has(/lucide-react.*[\\/]icons[\\/]([\w-]+)\.m?js$/.exec(id)?.[1] ?? '');

/** Few people open the admin area or set up a second factor, so their calls load with those pages. */
const isSeldom =
  /[\\/]contract[\\/](admin[\\/]|announcements[\\/]|connect[\\/]|.*second-factor)|[\\/]access[\\/]second-step-ticket\.ts$/;
/** Not with those calls: what tickets take from others' contracts would come along. */
const isOfTickets = /[\\/]contract[\\/]tickets[\\/]/;
/** Only the settings ask for an export. */
const isOfExport = /[\\/]contract[\\/](privacy[\\/]export|formats[\\/]file-size)\.ts$/;
/** The first script of a page, and what it shares with the app. */
const early = modulesWith('web/app/early-reads.ts');
const isEarly = (id: string): boolean =>
  early.has(pathOf(id)) ||
  (id.startsWith('\0thin:') && ![isSeldom, isOfTickets, isOfExport].some((rare) => rare.test(id)));

// Only a few pages use the permissions of roles and the names of browsers.
const isRule = (id: string): boolean =>
  /^contract\/(?!admin\/|connect\/|access\/device|privacy\/retention|chat\/)/.test(pathOf(id)) &&
  !hasSchemas(id) &&
  !isOfExport.test(id);
const isOfChat = (id: string): boolean =>
  /^(contract|web\/features)\/chat\//.test(pathOf(id)) && !hasSchemas(id);
/**
 * The parts that every page needs, without the pages that share them. Excluded: parts with a large library,
 * and parts that few pages use.
 */
const isBasic = (id: string): boolean =>
  /^web\/(ui\/(?!dialog-box|qr-code|camera)|core\/(?!forms|zod|.*camera|read-picture|sign-with|settled)|map\/(position|locate-button)\.)/.test(
    pathOf(id),
  ) || isIconOfHome(id);
const isDialog = /node_modules[\\/](@base-ui|@floating-ui)|[\\/]web[\\/]ui[\\/]dialog-box\.tsx$/;
const isForm = (id: string): boolean =>
  id.includes('react-hook-form') || (/^web\/(core|features)\//.test(pathOf(id)) && checksInput(pathOf(id)));
/** Small parts that two pages share: separate files would cost one more request on both. */
const partsOfRides =
  /[\\/]rides[\\/](change|interrupted|recurring)[\\/]|[\\/](timeline|ended-words|rebooking|edited-draft|contact-buttons|payment-state|card-words)\.tsx?$/;
/** The match list with its parts: two requests fewer than with separate files for shared parts. */
const partsOfMatches =
  /[\\/]web[\\/](pages[\\/]order[\\/](match|almost-fits)|features[\\/]matching[\\/]candidate-actions)\.tsx$/;
const partsOfAccount = /[\\/]people[\\/](menu|language-control|delete-account)\.|[\\/]this-device\.tsx$/;
const isZod = /node_modules[\\/]zod[\\/]|[\\/]web[\\/]core[\\/]zod\.ts$/;

/**
 * A request for each small file takes longer than its bytes do: what every page needs comes in two files,
 * what the first page draws with in one more, and what several pages share in a few.
 */
export const fewFiles: Rollup.CodeSplittingGroup[] = [
  { name: 'seldom', test: isSeldom, priority: 11 },
  { name: 'reads', test: isEarly, priority: 10 },
  { name: 'map-engine', test: /node_modules[\\/]maplibre-gl/, priority: 9 },
  { name: 'libraries', test: /node_modules/, tags: ['$initial'], priority: 8 },
  { name: 'app', tags: ['$initial'], priority: 7 },
  // The imports of schemas would come with them.
  { name: 'rules', test: isRule, priority: 5 },
  { name: 'schemas', test: (id) => isZod.test(id) || hasSchemas(id), priority: 4 },
  { name: 'basics', test: isBasic, minShareCount: 2, priority: 6.5 },
  { name: 'chat-parts', test: isOfChat, minShareCount: 2, priority: 6 },
  { name: 'home', test: isOfHome, priority: 6 },
  // An icon goes with no group of pages that happens to draw it.
  { name: 'icons', test: /node_modules[\\/]lucide-react/, minShareCount: 2, priority: 5 },
  { name: 'dialogs', test: isDialog, priority: 3 },
  { name: 'forms', test: isForm, minShareCount: 2, priority: 3 },
  // Few pages show a phone number, and several of them share the library.
  { name: 'phone-numbers', test: /node_modules[\\/]libphonenumber-js|[\\/]phone-text\.ts$/, priority: 3 },
  // Drawn on maps and in lists of found places; no page begins with either.
  {
    name: 'place-icons',
    test: /node_modules[\\/]@mapbox[\\/]maki|[\\/](poi-icons|place-icon)\.tsx?$/,
    priority: 3,
  },
  { name: 'qr-code', test: /qrcode\.react|[\\/]ui[\\/]qr-code\.tsx$/, priority: 3 },
  { name: 'ride-parts', test: partsOfRides, minShareCount: 2, priority: 1 },
  { name: 'matches', test: partsOfMatches, priority: 1 },
  { name: 'account-parts', test: partsOfAccount, minShareCount: 2, priority: 1 },
  // Large libraries stay with the pages that need them.
  { name: 'shared', minShareCount: 3, maxModuleSize: 30_000, priority: 2 },
];
