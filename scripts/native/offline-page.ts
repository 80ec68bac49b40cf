import { words } from '../../locales/native.ts';

/** The page that the app shows where it cannot reach its server and has nothing of it in its cache. */
export const offlinePage = (serverUrl: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <title>Sameway</title>
    <style>
      body { margin: 0; min-height: 100vh; display: grid; place-content: center; gap: 16px; padding: 24px;
        font: 17px/26px system-ui, sans-serif; text-align: center; background: #f6f7f8; color: #1f2430; }
      h1 { margin: 0; font-size: 24px; line-height: 32px; }
      p { margin: 0; color: #4a5262; }
      a { justify-self: center; padding: 12px 24px; border-radius: 12px; background: #1f2430; color: #fff;
        text-decoration: none; font-weight: 600; }
    </style>
  </head>
  <body>
    <h1></h1>
    <p></p>
    <a href="${serverUrl}"></a>
    <script>
      const words = ${JSON.stringify({ en: words.en.offline, zh: words.zh.offline })};
      const language = /^zh\\b/i.test(navigator.language) ? 'zh' : 'en';
      document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
      document.querySelector('h1').textContent = words[language].title;
      document.querySelector('p').textContent = words[language].text;
      document.querySelector('a').textContent = words[language].action;
      addEventListener('online', () => location.replace(${JSON.stringify(serverUrl)}));
    </script>
  </body>
</html>
`;
