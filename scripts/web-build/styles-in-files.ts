import type { Plugin } from 'vite';

/** The one line by which a library puts a style sheet into the page, where no policy lets it stand. */
const insertion = /^__insertCSS\(.*\);$/m;

/**
 * Styles stand in files: the page's policy takes no other. Of the libraries only the one of messages brings a
 * sheet in its script; web/ui/toaster.tsx imports the same sheet as a file.
 */
export function stylesInFiles(): Plugin {
  return {
    name: 'sameway-styles-in-files',
    transform: {
      filter: { id: /\/sonner\/dist\/index\.mjs$/ },
      handler: (code) => ({ code: withoutSheet(code), map: null }),
    },
  };
}

/** @throws Error where the library does it in another way, which the policy would refuse in silence. */
export function withoutSheet(code: string): string {
  if (!insertion.test(code))
    throw new Error('The library of messages brings its style sheet in another way.');
  return code.replace(insertion, '');
}

/** @throws Error where HTML that the build has drawn holds a style of its own. */
export function requireNoStyles(html: string): string {
  const [found] = /<style\b[^>]*>|<[^>]*\sstyle="[^"]*"/.exec(html) ?? [];
  if (found !== undefined)
    throw new Error(`A first screen holds a style, which its policy refuses: ${found}`);
  return html;
}
