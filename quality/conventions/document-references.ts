import { matchesGlob, posix } from 'node:path'

export type Repository = { files: readonly string[]; scripts: readonly string[] }

/**
 * Returns everything that a Markdown document refers to but that does not exist: link targets, paths in code spans, and npm scripts. In a
 * path, `<x>` stands for any name. A path that does not start at the root (`server/`, `renewal.ts`, `.test.ts`) may be anywhere. A
 * superseded decision may mention paths that existed when it was written.
 * @param path the document's path from the root of the repository
 */
export function findMissingReferences(path: string, text: string, { files, scripts }: Repository): string[] {
  const folders = new Set(files.flatMap(listFolders))
  const isKnownPath = (name: string) => files.includes(name) || folders.has(name.replace(/\/$/, ''))
  const matchesKnownPath = (glob: string) =>
    isKnownPath(glob) ||
    files.some((file) => matchesGlob(file, glob)) ||
    [...folders].some((folder) => matchesGlob(folder, glob))

  const links = extractLinks(text).filter((target) => !isKnownPath(posix.join(posix.dirname(path), target)))
  const named = /^Status: superseded/m.test(text) ? [] : extractFileNames(text)
  const paths = named.filter((name) => {
    const glob = name.replaceAll(/<[^>]*>/g, '*').replace(/\/$/, '')
    return (
      !matchesKnownPath(glob) &&
      !(isOutsideFolders(name) && matchesKnownPath(name.startsWith('.') ? `**/*${glob}` : `**/${glob}`))
    )
  })
  const unknownScripts = extractScripts(text).filter((script) => !scripts.includes(script))
  return [...links, ...paths, ...unknownScripts.map((script) => `npm run ${script}`)]

  function isOutsideFolders(name: string): boolean {
    return !folders.has(name.split('/')[0] ?? '')
  }

  function extractFileNames(markdown: string): string[] {
    return extractCodeSpans(markdown)
      .flatMap((code) => code.split(/[\s'"`(),;:=]+/))
      .filter((word) => /^[\w.@*<>-][\w.@*<>/-]*$/.test(word) && (isFileName(word) || isFolderName(word)))
  }

  function isFolderName(word: string): boolean {
    return /^[\w.-]+\/$/.test(word) || (word.includes('/') && folders.has(word.split('/')[0] ?? ''))
  }
}

const isFileName = (word: string): boolean => /[\w>]\.(?:tsx?|md|json|css|sql|png|svg|sh|ya?ml)$/.test(word)

const listFolders = (file: string): string[] =>
  file
    .split('/')
    .slice(0, -1)
    .map((_, at, parts) => parts.slice(0, at + 1).join('/'))

const extractLinks = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*/, ''))
    .filter((target) => target && !/^[a-z]+:/.test(target))

const extractCodeSpans = (text: string): string[] => {
  const blocks = [...text.matchAll(/^```.*\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
  const spans = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  return [...blocks, ...spans]
}

const extractScripts = (text: string): string[] =>
  [...text.matchAll(/\bnpm (?:run ([\w:.-]+)|(start|test)\b)/g)].map(([, run, short]) => run ?? short ?? '')

export const extractDecisionNumbers = (text: string): string[] =>
  [...text.matchAll(/\b(?:decisions\/|decision |record )(\d{4})\b/gi)].map(([, number = '']) => number)
