import type { EmailBlock, EmailContent } from './email-blocks.ts';
import { withoutForeignLinks } from './foreign-links.ts';
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

/**
 * An email as HTML, from its blocks. Tables and inline styles, because that is what mail programs understand;
 * no pictures, nothing from elsewhere, so that opening it sends no request.
 * @param home the address people open, without a slash at the end
 * @param unsubscribePage where emails of this kind are ended; said below the email
 */
export function emailHtml(email: EmailContent, home: string, unsubscribePage?: string): string {
  const { language, subject, preview = '', blocks } = email;
  const t = translate(language);
  const plain = (text: string) => escape(withoutForeignLinks(text, home));
  const drawn = blocks.map((block) => drawBlock(block, plain, t('open'))).filter(Boolean);
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${plain(subject)}</title></head>
<body style="margin:0;padding:0;background:#F6F7F8">
${preview === '' ? '' : `<div style="display:none;max-height:0;overflow:hidden">${plain(preview)}</div>`}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#F6F7F8"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#FFFFFF;border-radius:20px;overflow:hidden;font-family:${fonts};color:${ink}">
<tr><td style="background:${ink};padding:16px 24px;font-size:17px;font-weight:600;color:#FFFFFF"><span style="color:#59BC6B">&#9679;</span>&nbsp; ${t('brand')}</td></tr>
<tr><td style="padding:24px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:600">${plain(subject)}</h1>
${drawn.join('\n')}
</td></tr></table>
${unsubscribePage === undefined ? '' : `<p style="margin:16px 0 0;font-family:${fonts};font-size:13px;line-height:20px;color:${hint}">${linked(unsubscribePage, t('stop'), hint)}</p>`}
</td></tr></table>
</body>
</html>
`;
}

/** @param plain text in, HTML out that shows it and links nowhere */
function drawBlock(block: EmailBlock, plain: (text: string) => string, open: string): string {
  const lines = (text: string) => text.split('\n').map(plain).join('<br>');
  switch (block.kind) {
    case 'paragraph':
      return `<p style="margin:0 0 12px;${body}">${lines(block.text)}</p>`;
    case 'quote':
      return `<p style="margin:0 0 12px;padding-left:12px;border-left:3px solid ${line};${body};color:${hint}">${lines(block.text)}</p>`;
    case 'code':
      return `<p style="margin:0 0 4px;${body}">${plain(block.text)}</p><p style="margin:0 0 20px;font-size:28px;line-height:36px;font-weight:600;letter-spacing:6px">${escape(block.code)}</p>`;
    case 'button':
      return `<p style="margin:20px 0"><a href="${escape(block.href)}" style="display:inline-block;background:${ink};color:#FFFFFF;text-decoration:none;font-weight:600;font-size:17px;line-height:24px;padding:12px 24px;border-radius:12px">${open}</a></p>`;
    case 'link':
      return `<p style="margin:0 0 12px;${body}">${plain(block.text)} ${linked(block.href, block.href, brand)}</p>`;
    case 'rideCard': {
      const title =
        block.href === undefined
          ? plain(block.title)
          : `<a href="${escape(block.href)}" style="color:${brand}">${plain(block.title)}</a>`;
      return `<p style="margin:0 0 12px;padding:12px 16px;border:1px solid ${line};border-radius:12px;${body}"><b style="font-weight:600">${title}</b><br>${block.lines.map(plain).join('<br>')}</p>`;
    }
    case 'signature':
      return '';
  }
}

const linked = (href: string, words: string, color: string): string =>
  `<a href="${escape(href)}" style="color:${color};word-break:break-all">${escape(words)}</a>`;
