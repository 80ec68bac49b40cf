const leadsHome = (home: string, url: string): boolean => url === home || url.startsWith(`${home}/`);

/**
 * Text whose addresses mail programs do not turn into links, except those of this server: after each dot and
 * before each pair of slashes is a character that no one sees. The names that people give themselves may look
 * like addresses.
 * @param home the address people open, without a slash at the end
 */
export const withoutForeignLinks = (text: string, home: string): string =>
  text.replaceAll(foreignAddress, (found) =>
    leadsHome(home, found) ? found : found.replaceAll('//', `${gap}//`).replaceAll('.', `.${gap}`),
  );
const gap = '\u200B';
/** With its protocol, or as a bare name of a host; the host of an email address is none of them. */
const foreignAddress = /https?:\/\/[^\s<>"']+|(?<![@\w.\-/])(?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/[^\s<>"']*)?/gi;
