import { inOneLine, type EmailBlock, type EmailContent } from './email-blocks.ts';
import type { EmailFooter } from './email-html.ts';
import { withoutForeignLinks } from './foreign-links.ts';
import { translate } from './translate.ts';

/**
 * The plain part of an email, from its blocks.
 * @param home the address people open, without a slash at the end
 */
export function emailText({ language, blocks }: EmailContent, home: string, footer?: EmailFooter): string {
  const t = translate(language);
  const plain = (text: string) => withoutForeignLinks(text, home);
  const written = (block: EmailBlock): string => {
    switch (block.kind) {
      case 'paragraph':
        return plain(block.text);
      case 'quote':
        return plain(block.text).replaceAll(/^/gm, '> ');
      case 'code':
        return inOneLine(plain(block.text), block.code);
      case 'heading':
        return plain(block.text);
      case 'button':
        return `${plain(block.text)}\n${block.href}`;
      case 'link':
        return inOneLine(plain(block.text), block.href);
      case 'rideCard': {
        const { title, price, route, lines } = block;
        const first = [title, ...(price === undefined ? [] : [price])].map(plain).join(' · ');
        const more = [...(route === undefined ? [] : [`${route.from} → ${route.to}`]), ...lines].map(plain);
        return [`• ${first}`, ...more.map((line) => `  ${line}`)].join('\n');
      }
      case 'signature':
        return t('brand');
    }
  };
  const text = `${blocks.map(written).join('\n\n')}\n`;
  if (footer === undefined) return text;
  const ends = [
    [t('settings'), footer.settingsPage],
    [footer.stop, footer.stopPage],
  ];
  return `${text}\n${ends.map(([what, page]) => t('footerLine', { what, page })).join('\n')}\n`;
}
