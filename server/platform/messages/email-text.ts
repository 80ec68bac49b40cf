import { inOneLine, type EmailBlock, type EmailContent } from './email-blocks.ts';
import { withoutForeignLinks } from './foreign-links.ts';
import { translate } from './translate.ts';

/**
 * The plain part of an email, from its blocks.
 * @param home the address people open, without a slash at the end
 * @param unsubscribePage where emails of this kind are ended
 */
export function emailText(
  { language, blocks }: EmailContent,
  home: string,
  unsubscribePage?: string,
): string {
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
      case 'button':
        return block.href;
      case 'link':
        return inOneLine(plain(block.text), block.href);
      case 'rideCard':
        return [
          `• ${plain(block.title)}`,
          ...[...block.lines.map(plain), ...(block.href === undefined ? [] : [block.href])].map(
            (line) => `  ${line}`,
          ),
        ].join('\n');
      case 'signature':
        return t('brand');
    }
  };
  const text = `${blocks.map(written).join('\n\n')}\n`;
  return unsubscribePage === undefined ? text : `${text}\n${t('stopAt', { page: unsubscribePage })}\n`;
}
