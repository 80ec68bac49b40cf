/** The most lines of each side that are shown of one section. */
const mostLines = 6;

/** Where two texts of a page differ, by its sections: what is new, gone, or says other lines. */
export function differences(kept: string, current: string): string[] {
  const [before, after] = [sectionsOf(kept), sectionsOf(current)];
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return names.flatMap((name) => {
    const [former, latter] = [before.get(name), after.get(name)];
    if (former === undefined) return [`${name} is new`];
    if (latter === undefined) return [`${name} is gone`];
    const gone = former.filter((line) => !latter.includes(line)).map((line) => `  - ${line}`);
    const added = latter.filter((line) => !former.includes(line)).map((line) => `  + ${line}`);
    if (former.join('\n') === latter.join('\n')) return [];
    return [[`${name} has changed:`, ...gone.slice(0, mostLines), ...added.slice(0, mostLines)].join('\n')];
  });
}

function sectionsOf(page: string): Map<string, string[]> {
  const [intro = '', ...sections] = page.split(/^#{2,3} /m);
  const named = sections.map((section): [string, string[]] => {
    const [heading = '', ...lines] = section.trimEnd().split('\n');
    return [heading.replace(/^★ /, ''), [heading, ...lines]];
  });
  return new Map([['The introduction', intro.trimEnd().split('\n')], ...named]);
}
