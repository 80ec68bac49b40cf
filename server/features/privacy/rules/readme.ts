import { ageOf, retention, type RetentionKind } from '#contract/privacy/retention.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';

/** The text file that explains an export to its reader. */
export const exportReadme = (exportedAt: string): string => `Sameway 顺路: your data, ${exportedAt}

data.json    everything we keep about you, one list for each kind of thing: your account, sessions, vehicles, rides and
             requests, bookings, messages you wrote, reviews, contacts, saved places, settings and what you agreed to.
             "people" gives the names of those your rides and contacts refer to. Times are UTC.
pictures/    the pictures you uploaded.

Left out: passwords and keys (we keep only their hashes), and what other people wrote for themselves.

${keptList('en')}

data.json    我们保存的关于您的全部资料：账号、登录记录、车辆、行程、拼车、您发送的消息、评价、联系人、常用地点、设置与同意记录。
             “people” 列出相关人员的称呼。时间均为 UTC。
pictures/    您上传的图片。

不包含：密码与密钥（我们只保存其哈希值），以及他人为自己写下的内容。

${keptList('zh')}
`;

/** The list of the privacy page: which data is retained, and for how long. */
function keptList(language: Language): string {
  const t = translate(language);
  const howLong = (kind: RetentionKind): string => {
    const { kept, since } = retention[kind];
    if (typeof kept === 'string') return t(`legal:kept.${kept}`);
    const { count, unit } = ageOf(kept);
    return t(`legal:kept.since.${since}`, { age: t(`legal:kept.age.${unit}`, { count }) });
  };
  const lines = (Object.keys(retention) as RetentionKind[]).map(
    (kind) =>
      `- ${t('legal:kept.line', {
        what: t(`legal:kept.kinds.${kind}.what`),
        age: howLong(kind),
        ending: t(`legal:kept.ending.${retention[kind].ending}`),
      })}`,
  );
  return [t('legal:kept.title'), ...lines].join('\n');
}
