import fs from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor, type ESTree } from 'vite';

/** One import of a module, whichever way it is written. */
export interface Import {
  /**
   * The file from the root of the project with forward slashes, or the name of a package or of a Node module.
   */
  target: string;
  /** Whether the target is a file of the project. */
  ours: boolean;
  /** Erased before running: `import type`. */
  typeOnly: boolean;
}

export interface Module {
  /** From the root of the project with forward slashes. */
  file: string;
  imports: Import[];
  /** Names read of a value called `app` or `ports`, or of a parameter of type `App`: `geo` of `app.geo`. */
  readOfApp: string[];
}

const aliases: Record<string, string> = {
  '#contract/': 'contract/',
  '#locales/': 'locales/',
  '#roads/': 'roads/',
};

/** Reads every module below the given folders. Folders that do not exist hold none. */
export function readModules(root: string, folders: readonly string[]): Module[] {
  return folders
    .filter((folder) => fs.existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((file) => path.posix.join(folder, file.split(path.sep).join('/')))
        .filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.includes('node_modules/')),
    )
    .toSorted()
    .map((file) => readModule(file, fs.readFileSync(path.join(root, file), 'utf8')));
}

/** @throws Error when the source cannot be parsed. */
export function readModule(file: string, source: string): Module {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message ?? ''}`);
  const imports: Import[] = [];
  const readOfApp: string[] = [];
  const add = (specifier: unknown, typeOnly: boolean) => {
    if (typeof specifier === 'string') imports.push({ ...resolve(file, specifier), typeOnly });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, isTypeOnly(node)),
    ExportNamedDeclaration: (node) => add(node.source?.value, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind === 'type'),
    ImportExpression: (node) => add('value' in node.source ? node.source.value : null, false),
    MemberExpression: ({ object, property }) => {
      if (property.type !== 'Identifier') return;
      const owner = object.type === 'MemberExpression' ? object.property : object;
      if (owner.type === 'Identifier' && ['app', 'ports'].includes(owner.name)) readOfApp.push(property.name);
    },
    ObjectPattern: ({ properties, typeAnnotation }) => {
      const type = typeAnnotation?.typeAnnotation;
      if (
        type?.type !== 'TSTypeReference' ||
        type.typeName.type !== 'Identifier' ||
        type.typeName.name !== 'App'
      )
        return;
      for (const each of properties)
        if (each.type === 'Property' && each.key.type === 'Identifier') readOfApp.push(each.key.name);
    },
    TSImportType: (node) => add('value' in node.source ? node.source.value : null, true),
  }).visit(program);
  return { file, imports, readOfApp };
}

function isTypeOnly({ importKind, specifiers }: ESTree.ImportDeclaration): boolean {
  if (importKind === 'type') return true;
  return (
    specifiers.length > 0 &&
    specifiers.every((each) => each.type === 'ImportSpecifier' && each.importKind === 'type')
  );
}

function resolve(file: string, specifier: string): { target: string; ours: boolean } {
  const bare = specifier.replace(/\?.*$/, '');
  if (bare.startsWith('.')) return { target: path.posix.join(path.posix.dirname(file), bare), ours: true };
  for (const [alias, folder] of Object.entries(aliases)) {
    if (bare.startsWith(alias)) return { target: folder + bare.slice(alias.length), ours: true };
  }
  return { target: bare, ours: false };
}
