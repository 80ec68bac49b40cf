/** One picture that was taken. */
export interface Picture {
  file: string;
  name: string;
  size: string;
  language: string;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

/**
 * A page to browse all pictures: one row for each screen, a column for each size and language, with a field
 * that filters by name and boxes that hide columns.
 */
export function galleryPage(pictures: readonly Picture[]): string {
  const columns = [...new Set(pictures.map(({ size, language }) => `${size} ${language}`))];
  const rows = Map.groupBy(pictures, ({ name }) => name);
  const head = columns.map((column) => `<th data-column="${escaped(column)}">${escaped(column)}</th>`);
  const body = [...rows].map(([name, taken]) => {
    const cells = columns.map((column) => {
      const picture = taken.find(({ size, language }) => `${size} ${language}` === column);
      const file = picture === undefined ? '' : escaped(picture.file);
      const shown = file === '' ? '' : `<a href="${file}"><img loading="lazy" src="${file}" alt=""></a>`;
      return `<td data-column="${escaped(column)}">${shown}</td>`;
    });
    return `<tr data-name="${escaped(name)}"><th scope="row">${escaped(name)}</th>${cells.join('')}</tr>`;
  });
  const boxes = columns.map(
    (column) =>
      `<label><input type="checkbox" checked data-shows="${escaped(column)}"> ${escaped(column)}</label>`,
  );
  return `<!doctype html>
<meta charset="utf-8">
<title>Sameway: screens</title>
<style>
  body { font: 15px/1.4 system-ui, sans-serif; margin: 16px; background: #f6f7f8; color: #1f2430 }
  header { position: sticky; top: 0; background: #f6f7f8; padding: 8px 0; display: flex; gap: 16px; flex-wrap: wrap }
  th { text-align: left; vertical-align: top; padding: 8px }
  td { vertical-align: top; padding: 8px }
  img { max-width: 360px; max-height: 560px; border: 1px solid #e5e7eb; background: #fff }
</style>
<header><input id="name" placeholder="Filter by name">${boxes.join(' ')}</header>
<table><thead><tr><th>${rows.size} screens</th>${head.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table>
<script>
  document.getElementById('name').addEventListener('input', ({ target }) => {
    for (const row of document.querySelectorAll('tbody tr')) row.hidden = !row.dataset.name.includes(target.value);
  });
  for (const box of document.querySelectorAll('[data-shows]'))
    box.addEventListener('change', () => {
      for (const cell of document.querySelectorAll('[data-column="' + box.dataset.shows + '"]')) cell.hidden = !box.checked;
    });
</script>
`;
}
