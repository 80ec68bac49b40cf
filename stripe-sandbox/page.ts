import { createHash } from 'node:crypto';
import { pageWords, type Language } from './page-words.ts';

/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function hashOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** HTML in which every value is shown as text, unless it is HTML itself. */
export function html(parts: TemplateStringsArray, ...values: (string | Html | readonly Html[])[]): Html {
  const shown = values.map((value) => {
    if (value instanceof Html) return value.text;
    if (typeof value === 'string') return value.replaceAll(/[&<>"']/g, (mark) => marks[mark] ?? mark);
    return value.map(({ text }) => text).join('');
  });
  return new Html(parts.map((part, position) => part + (shown[position] ?? '')).join(''));
}

const style = `
*{box-sizing:border-box}
body{margin:0;background:#f6f7f8;color:#1f2430;font:17px/1.5 system-ui,-apple-system,"PingFang SC","Noto Sans SC",sans-serif}
main{max-width:480px;margin:0 auto;padding:24px 16px 48px}
.test{background:#fff4dc;color:#8a5000;padding:12px 16px;text-align:center;font-weight:600;font-size:15px;border-bottom:1px solid #8a5000}
h1{font-size:28px;line-height:1.25;margin:0 0 8px} h2{font-size:17px;margin:32px 0 8px}
p{margin:0 0 16px;color:#4a5262}
form{display:grid;gap:16px;margin-top:24px}
.row{display:grid;grid-template-columns:1fr 1fr;gap:16px}
label{display:grid;gap:4px;font-weight:600;font-size:15px}
input{min-height:48px;border:1px solid #868d9a;border-radius:12px;padding:0 12px;font:inherit;font-variant-numeric:tabular-nums;width:100%;background:#fff;color:#1f2430}
button{min-height:48px;border:1px solid #1f2430;border-radius:12px;font:inherit;font-weight:600;background:#1f2430;color:#fff;padding:8px 16px;cursor:pointer}
button.plain{background:#fff;color:#1f2430}
:focus-visible{outline:3px solid #1e7a35;outline-offset:2px}
.wrong{color:#c62f3b;font-weight:600;margin:0}
a{color:#1e7a35;display:inline-block;min-height:44px;padding:10px 0}
nav{text-align:right}
li{margin:0 0 8px} ul{padding-left:20px;margin:0}
code{font:15px ui-monospace,monospace;white-space:nowrap}
`;
const styleElement = new Html(`<style>${style}</style>`);

// A number pad has no slash: it is put in once both digits of the month stand there, and not while something
// is taken away.
const slash = `document.querySelector('[name=expiry]').addEventListener('input',(event)=>{const field=event.target;if(/^[01]\\d$/.test(field.value)&&event.inputType==='insertText')field.value+='/'})`;

/** Puts the slash between month and year; the form works without it. */
export const slashScript = new Html(`<script>${slash}</script>`);
/** The hashes of the page's script and style sheet in its content security policy. */
export const slashHash = hashOf(slash);
export const styleHash = hashOf(style);

/** A whole page, without pictures or anything from elsewhere; the card's page alone has a script. */
export function pageOf(language: Language, title: string, content: Html): string {
  const words = pageWords[language];
  const other = language === 'en' ? 'zh' : 'en';
  return html`<!doctype html>
    <html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Sameway 顺路</title>
        <link rel="icon" href="data:," />
        ${styleElement}
      </head>
      <body>
        <header class="test">${words.testMoney}</header>
        <main>
          <nav>
            <a href="?lang=${other}" lang="${other === 'zh' ? 'zh-CN' : 'en'}">${words.otherLanguage}</a>
          </nav>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`.text;
}
