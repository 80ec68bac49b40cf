import { type EmailBlock, type EmailContent, inOneLine } from './email-blocks.ts';
import { translate } from './translate.ts';

const brand = '#1E7A35';
const ink = '#1F2430';
const hint = '#6B7280';
const line = '#E5E7EB';
const fonts = `system-ui,-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif`;
const body = 'font-size:17px;line-height:26px';

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => escapes[letter]!);

/** The lines below an email about things that its reader can choose to get. */
export interface EmailFooter {
  /** The page that ends emails of this kind. */
  stopPage: string;
  stop: string;
  /** The page on which the reader chooses what they get. */
  settingsPage: string;
}

/**
 * An email as HTML, from its blocks. Tables and inline styles, because that is what mail programs understand;
 * no pictures, nothing from elsewhere, so that opening it sends no request.
 * @param home the address people open, without a slash at the end
 */
export function emailHtml(email: EmailContent, home: string, footer?: EmailFooter): string {
  const { language, subject, preview = '', blocks } = email;
  const t = translate(language);
  const plain = (text: string) => escape(withoutForeignLinks(text, home));
  const brandName = escape(t('brand'));
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${plain(subject)}</title></head>
<body style="margin:0;padding:0;background:#F6F7F8">
${preview === '' ? '' : `<div style="display:none;max-height:0;overflow:hidden">${plain(preview)}</div>`}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#F6F7F8"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#FFFFFF;border-radius:20px;overflow:hidden;font-family:${fonts};color:${ink}">
<tr><td style="background:${ink};padding:16px 24px"><table role="presentation" cellpadding="0" cellspacing="0"><tr><td align="center" style="width:28px;height:28px;background:#59BC6B;border-radius:8px;font-size:17px;line-height:28px;font-weight:700;color:${ink}">${language === 'zh' ? '顺' : 'S'}</td><td style="padding-left:10px;font-size:17px;line-height:28px;font-weight:600;color:#FFFFFF">${brandName}</td></tr></table></td></tr>
<tr><td style="padding:24px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:600">${plain(subject)}</h1>
${drawBlocks(blocks, plain).join('\n')}
</td></tr></table>
${drawFooter(footer, t('settings'), brandName)}
</td></tr></table>
</body>
</html>
`;
}

function drawFooter(footer: EmailFooter | undefined, settings: string, brandName: string): string {
  const style = `margin:16px 0 0;font-family:${fonts};font-size:13px;line-height:20px;color:${hint}`;
  if (footer === undefined) return `<p style="${style}">${brandName}</p>`;
  const { stop, stopPage, settingsPage } = footer;
  return `<p style="${style}">${brandName} · ${linked(settingsPage, settings, hint)}<br>${linked(stopPage, stop, hint)}</p>`;
}

/** Buttons that follow each other are one row. */
function drawBlocks(blocks: readonly EmailBlock[], plain: (text: string) => string): string[] {
  const rows: string[] = [];
  let buttons: string[] = [];
  const endRow = () => {
    if (buttons.length > 0) rows.push(`<p style="margin:20px 0 8px">${buttons.join('\n')}</p>`);
    buttons = [];
  };
  for (const block of blocks) {
    if (block.kind === 'button') buttons.push(drawButton(block, plain));
    else {
      endRow();
      rows.push(drawBlock(block, plain));
    }
  }
  endRow();
  return rows.filter(Boolean);
}

function drawButton(
  { text, href, quiet }: Extract<EmailBlock, { kind: 'button' }>,
  plain: (text: string) => string,
): string {
  const colors =
    quiet === true
      ? `background:#FFFFFF;color:${ink};border:1px solid #C5CAD3`
      : `background:${ink};color:#FFFFFF;border:1px solid ${ink}`;
  return `<a href="${escape(href)}" style="display:inline-block;margin:0 8px 8px 0;${colors};text-decoration:none;font-weight:600;font-size:17px;line-height:24px;padding:11px 24px;border-radius:12px">${plain(text)}</a>`;
}

/** @param plain text in, HTML out that shows it and links nowhere */
function drawBlock(block: Exclude<EmailBlock, { kind: 'button' }>, plain: (text: string) => string): string {
  const lines = (text: string) => text.split('\n').map(plain).join('<br>');
  switch (block.kind) {
    case 'paragraph':
      return `<p style="margin:0 0 12px;${body}">${lines(block.text)}</p>`;
    case 'heading':
      return `<h2 style="margin:24px 0 12px;font-size:17px;line-height:24px;font-weight:600">${plain(block.text)}</h2>`;
    case 'quote':
      return `<p style="margin:0 0 12px;padding-left:12px;border-left:3px solid ${line};${body};color:${hint}">${lines(block.text)}</p>`;
    case 'code':
      return `<p style="margin:0 0 4px;${body}">${plain(block.text)}</p><p style="margin:0 0 20px;font-size:28px;line-height:36px;font-weight:600;letter-spacing:6px">${escape(block.code)}</p>`;
    case 'link':
      return `<p style="margin:0 0 12px;${body}">${plain(block.text)} ${linked(block.href, block.href, brand)}</p>`;
    case 'rideCard':
      return drawRideCard(block, plain);
    case 'signature':
      return '';
  }
}

/** Time and price on one line, below it both ends of the route, then the other lines. */
function drawRideCard(
  { title, price = '', route, lines }: Extract<EmailBlock, { kind: 'rideCard' }>,
  plain: (text: string) => string,
): string {
  const cell = 'font-size:17px;line-height:24px';
  const whole = (text: string, color: string) =>
    `<tr><td colspan="2" style="${cell};padding-top:4px;color:${color}">${text}</td></tr>`;
  const place = (mark: string, name: string) =>
    `<tr><td colspan="2" style="${cell};padding:4px 0 0 22px;text-indent:-22px"><span style="display:inline-block;width:22px;text-indent:0;color:${brand}">${mark}</span>${plain(name)}</td></tr>`;
  const rows = [
    `<tr><td style="${cell};font-weight:600">${plain(title)}</td><td align="right" valign="top" style="${cell};padding-left:12px;font-weight:600;white-space:nowrap">${plain(price)}</td></tr>`,
    ...(route === undefined ? [] : [place('&#9675;', route.from), place('&#9679;', route.to)]),
    ...lines.map((each) => whole(plain(each), route === undefined ? ink : hint)),
  ];
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 12px;border:1px solid ${line};border-radius:12px;border-collapse:separate"><tr><td style="padding:14px 16px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0">${rows.join('')}</table></td></tr></table>`;
}

const linked = (href: string, words: string, color: string): string =>
  `<a href="${escape(href)}" style="color:${color}${words === href ? ';word-break:break-all' : ''}">${escape(words)}</a>`;

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
