import type { Plugin } from 'vite';

/** The line with which a library inserts a style sheet into the page, which the content policy refuses. */
const insertion = /^__insertCSS\(.*\);$/m;

/**
 * Keeps styles in files, because the page's content policy refuses all others. Only the library of the toasts
 * inserts a style sheet by script; web/ui/toaster.tsx imports that sheet as a file.
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

/**
 * @throws Error if the library inserts it in another way, which the policy would refuse without a message.
 */
export function withoutSheet(code: string): string {
  if (!insertion.test(code)) throw new Error('The toast library inserts its style sheet in a different way.');
  return code.replace(insertion, '');
}

/** @throws Error if HTML that the build rendered contains a style. */
export function requireNoStyles(html: string): string {
  const [found] = /<style\b[^>]*>|<[^>]*\sstyle="[^"]*"/.exec(html) ?? [];
  if (found !== undefined)
    throw new Error(`A first screen contains a style, which the content policy refuses: ${found}`);
  return html;
}
