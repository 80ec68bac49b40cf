import type { ReactNode } from 'react';

/** What is counted in a row, and more about it in lines below its name. */
export interface CountsRow {
  key: string;
  title: string;
  details: readonly string[];
  cells: readonly { text: string | number; isDanger?: boolean }[];
}

/** A table of counts: what is counted at the left, a column for each count. It scrolls if it is too wide. */
export function CountsTable({
  heading,
  columns,
  rows,
}: {
  heading: string;
  columns: readonly { key: string; title: string }[];
  rows: readonly CountsRow[];
}): ReactNode {
  return (
    <div className="overflow-x-auto rounded-control bg-surface shadow-card">
      <table className="w-full text-small">
        <thead>
          <tr className="border-b border-line text-ink-2">
            <th scope="col" className="px-4 py-3 text-start font-semibold">
              {heading}
            </th>
            {columns.map(({ key, title }) => (
              <th key={key} scope="col" className="px-3 py-3 text-end font-semibold whitespace-nowrap">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ key, title, details, cells }) => (
            <tr key={key}>
              <th scope="row" className="px-4 py-3 text-start font-normal">
                <span className="block text-body">{title}</span>
                {details.map((detail) => (
                  <span key={detail} className="block break-words text-ink-3">
                    {detail}
                  </span>
                ))}
              </th>
              {columns.map((column, at) => {
                const { text = '', isDanger = false } = cells[at] ?? {};
                return (
                  <td
                    key={column.key}
                    className={`figures px-3 py-3 text-end${isDanger ? ' font-semibold text-danger' : ''}`}
                  >
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
