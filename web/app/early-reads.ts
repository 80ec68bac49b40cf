/*
 * The first script of a page: it requests what the page will show while the libraries and the page's own code
 * are still loading. It imports none of them.
 */
import { deviceZone } from '../core/device-zone.ts';
import { servedConfig } from '../core/served-config.ts';
import { startEarly } from '../core/early-answers.ts';
import { parsePageSearch, parseSearch, type PagePath } from '../core/page-search.ts';
import { preferredLanguage } from '../core/preferred-language.ts';
import { homeOf, readStartSide } from '../core/side.ts';
import { pageReads } from './page-reads.ts';

/** The app opens the view of the Carpool tab that the person used last, as the router does. */
const { pathname, search } = location;
const opened = pathname === homeOf.driver && search === '' ? homeOf[readStartSide()] : pathname;

if (Object.hasOwn(pageReads, opened)) {
  const path = opened as PagePath;
  const at = { language: preferredLanguage(), center: servedConfig()?.region.center ?? null };
  startEarly(pageReads[path](parsePageSearch(path, parseSearch(search)), at));
}

// The page will format dates: what the browser needs for that is loaded while the scripts are on their way.
setTimeout(deviceZone);
