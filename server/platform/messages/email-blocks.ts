import { translate, type Language } from './translate.ts';

/**
 * One piece of an email; `email-html.ts` draws it. Every text stays text, no matter who
 * typed it: only an `href` is ever a link. `secret` marks a code, or an address with a token in it, that is
 * for its reader alone.
 */
export type EmailBlock =
  /** May contain line breaks. */
  | { kind: 'paragraph'; text: string }
  /** The reader's own earlier words. */
  | { kind: 'quote'; text: string }
  | { kind: 'code'; text: string; code: string; secret: true }
  /** The title of the next blocks, in an email about several things. */
  | { kind: 'heading'; text: string }
  /**
   * Opens a page of the app; its text says what for. Consecutive buttons share a row; a quiet one is the
   * lesser choice.
   */
  | { kind: 'button'; href: string; text: string; quiet?: true; secret?: true }
  /**
   * An address that can be read, after the words that say where it leads: it works on paper and in a
   * forwarded email, too.
   */
  | { kind: 'link'; text: string; href: string; secret?: true }
  /** A ride: when, from where to where, for how much, and more lines. */
  | {
      kind: 'rideCard';
      title: string;
      price?: string;
      route?: { from: string; to: string };
      lines: readonly string[];
    }
  /** The name of the app. Of the HTML it is the head. */
  | { kind: 'signature' };

/** The content of an email, apart from its reader. */
export interface EmailContent {
  language: Language;
  subject: string;
  /** The text that mail programs show after the subject instead of the first words of the email. */
  preview?: string;
  blocks: readonly EmailBlock[];
}

export const paragraph = (text: string): EmailBlock => ({ kind: 'paragraph', text });
type Button = Extract<EmailBlock, { kind: 'button' }>;
export const button = (text: string, href: string): Button => ({ kind: 'button', text, href });
/** A button for the lesser choice. */
export const quietButton = (text: string, href: string): Button => ({ ...button(text, href), quiet: true });
/** A button whose address has a token in it. */
export const secretButton = (text: string, href: string): Button => ({ ...button(text, href), secret: true });
export const signature: EmailBlock = { kind: 'signature' };

/** An email that greets, says its most important sentence first and is signed. */
export const greetingEmail = (
  language: Language,
  subject: string,
  [first, ...others]: readonly [first: string, ...others: EmailBlock[]],
): EmailContent => ({
  language,
  subject,
  preview: first,
  blocks: [paragraph(translate(language)('hello')), paragraph(first), ...others, signature],
});

/** Words and what follows them on the same line; after a Chinese colon there is no space. */
export const inOneLine = (text: string, what: string): string =>
  text.endsWith('：') ? text + what : `${text} ${what}`;

/** The subject as others than the reader may see it. */
export const subjectForOthers = ({ subject, blocks }: Pick<EmailContent, 'subject' | 'blocks'>): string =>
  withoutSecrets(
    subject,
    blocks.flatMap((block) => {
      if (!('secret' in block) || block.secret !== true) return [];
      return [block.kind === 'code' ? block.code : block.href];
    }),
  );

/** Replaces a secret. */
const dots = '••••';

/**
 * A text as others than its reader may see it.
 * @param secrets codes, and addresses that open something, as they stand in the text
 */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.filter(Boolean).reduce((left, secret) => left.replaceAll(secret, dots), text);
