const brand = '#1E7A35';
const ink = '#1F2430';
const hint = '#6B7280';
const fonts = `system-ui,-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif`;

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => escapes[letter]!);

const signature = /^(顺路 )?Sameway$/;
const address = /https?:\/\/[^\s<>"']+/g;

/** What an email's page is drawn from. */
export interface EmailPage {
  subject: string;
  /** Paragraphs with an empty line between them. */
  text: string;
  /** The address people open: what leads there is a link, and nothing else, for it may be what a person calls themselves. */
  home: string;
  /** Where emails of this kind are ended; said below the email. */
  unsubscribe?: { page: string };
}

/**
 * An email drawn as HTML, from its own text: a paragraph that is an address becomes a button, one that is a code stands out, the
 * signature stands in its head. Tables and inline styles, because that is what mail programs understand; no pictures, nothing from
 * elsewhere, so that reading it tells nobody.
 */
export function emailPage({ subject, text, home, unsubscribe }: EmailPage): string {
  const paragraphs = text.trim().split(/\n{2,}/);
  // Every email is signed in its own language; names of people and places may be in any.
  const chinese = paragraphs.includes('顺路 Sameway');
  const name = chinese ? '顺路 Sameway' : 'Sameway';
  const body = paragraphs
    .filter((paragraph) => !signature.test(paragraph))
    .map((paragraph) => drawn(paragraph, chinese, home))
    .join('\n');
  const end =
    unsubscribe === undefined
      ? ''
      : `<p style="margin:16px 0 0;font-family:${fonts};font-size:13px;line-height:20px;color:${hint}">${linked(
          unsubscribe.page,
          chinese ? '不再接收此类邮件' : 'Stop letters of this kind',
          hint,
        )}</p>`;
  return `<!doctype html>
<html lang="${chinese ? 'zh-CN' : 'en'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${plain(subject, home)}</title></head>
<body style="margin:0;padding:0;background:#F6F7F8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#F6F7F8"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#FFFFFF;border-radius:20px;overflow:hidden;font-family:${fonts};color:${ink}">
<tr><td style="background:${ink};padding:16px 24px;font-size:17px;font-weight:600;color:#FFFFFF"><span style="color:#59BC6B">&#9679;</span>&nbsp; ${name}</td></tr>
<tr><td style="padding:24px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:600">${plain(subject, home)}</h1>
${body}
</td></tr></table>
${end}
</td></tr></table>
</body>
</html>
`;
}

function drawn(paragraph: string, chinese: boolean, home: string): string {
  if (/^https?:\/\/\S+$/.test(paragraph) && leadsTo(home, paragraph)) {
    const label = chinese ? '在顺路中打开' : 'Open in Sameway';
    return `<p style="margin:20px 0"><a href="${escape(paragraph)}" style="display:inline-block;background:${ink};color:#FFFFFF;text-decoration:none;font-weight:600;font-size:17px;line-height:24px;padding:12px 24px;border-radius:12px">${label}</a></p>`;
  }
  const [, before = '', code] = /^([^\n]*?)(\d{6})$/.exec(paragraph) ?? [];
  if (code !== undefined)
    return `<p style="margin:0 0 4px;font-size:17px;line-height:26px">${escape(before)}</p><p style="margin:0 0 20px;font-size:28px;line-height:36px;font-weight:600;letter-spacing:6px">${code}</p>`;
  const lines = paragraph.split('\n').map((line) => withLinks(line, home));
  return `<p style="margin:0 0 12px;font-size:17px;line-height:26px">${lines.join('<br>')}</p>`;
}

/** To this server, or to a place on a map, as the emergency button says where a person is. */
const leadsTo = (home: string, url: string): boolean =>
  url === home ||
  url.startsWith(`${home}/`) ||
  /^https:\/\/www\.google\.com\/maps\?q=-?[\d.]+,-?[\d.]+$/.test(url);

/**
 * Text whose addresses mail programs do not turn into links, save those of this server: after each dot and before each
 * pair of slashes stands a character that no one sees.
 */
export const withoutForeignLinks = (text: string, home: string): string =>
  text.replaceAll(foreignAddress, (found) =>
    leadsTo(home, found) ? found : found.replaceAll('//', `${gap}//`).replaceAll('.', `.${gap}`),
  );
const gap = '\u200B';
/** With its protocol, or as a bare name of a host; the host of an email address is none of them. */
const foreignAddress = /https?:\/\/[^\s<>"']+|(?<![@\w.\-/])(?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/[^\s<>"']*)?/gi;

function withLinks(line: string, home: string): string {
  let written = '';
  let from = 0;
  for (const found of line.matchAll(address)) {
    if (!leadsTo(home, found[0])) continue;
    written += plain(line.slice(from, found.index), home) + linked(found[0], found[0], brand);
    from = found.index + found[0].length;
  }
  return written + plain(line.slice(from), home);
}

const plain = (text: string, home: string): string => escape(withoutForeignLinks(text, home));

const linked = (href: string, words: string, colour: string): string =>
  `<a href="${escape(href)}" style="color:${colour};word-break:break-all">${escape(words)}</a>`;
