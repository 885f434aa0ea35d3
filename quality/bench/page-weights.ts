import type { Manifest } from 'vite'
import { findChunks, chunksWithImports, listModules, type PageModules } from '#app/render/chunks.ts'

/** Returns the compressed size, in bytes, of a file in the build. */
export type MeasureFileSize = (file: string) => number
/** Returns the compressed size, in bytes, of a style sheet that combines the brand's colours with the given files. */
export type MeasureStyleSize = (files: readonly string[]) => number

type Table = readonly (PageModules & { path: string | RegExp })[]

/** The size budget for pages on a first visit. Script and style sizes are in bytes. */
export type Budget = {
  paths: readonly string[] | 'every'
  script: number
  style?: number
  /** Also count code that is loaded later, because visitors cannot use the page without it. */
  withLater?: true
}

export const budgets: readonly Budget[] = [
  { paths: ['/login/'], script: 90_000 },
  { paths: ['/'], script: 96_000 },
  {
    // Card encryption is loaded later, but an activation cannot be completed without it.
    paths: [
      '',
      'new/',
      'porting/',
      'signup/',
      'method/',
      'plans/',
      'checkout/',
      'processing/',
      'error/',
      'success/',
    ].map((step) => `/activate/${step}`),
    script: 105_000,
    withLater: true,
  },
]

/** The budget for the desk's pages. It is larger than the portal's, because staff work all day with a warm browser cache. */
export const deskBudgets: readonly Budget[] = [{ paths: 'every', script: 110_000, style: 8_000 }]

const defaultStyleLimit = 6_000
/** The maximum script size in bytes, both for a page without the shared entry chunk and for any part that a page loads later. */
const lazyScriptLimit = 25_000
/**
 * Higher limits for individual pages, by path. The renewal page explains auto-renewal, and then asks which plan to renew, when to renew it
 * and how to pay. Both renewal pages also contain the code for long lists of phone numbers (0.2 KB).
 */
const scriptLimitsByPath: Record<string, number> = {
  '^/services/renew/(?<shortId>\\d[^/]*)/(?:(?<paymentMethod>plan)/)?$': 26_750,
  '^/services/renew/(?<shortId>\\d[^/]*)/(?<paymentMethod>voucher)/(?:(?<code>[^/]+)/)?$': 25_550,
}

type PageWeight = {
  path: string
  script: number
  style: number
  /** The size of the page's own script in bytes, which visitors who are already in the portal still have to load. */
  own: number
  files: number
  lazy: number
  limit: number | null
  styleLimit: number
}

type Build = {
  manifest: Manifest
  pages: Table
  beginningOf(modules: readonly string[]): string
  sizeOf: MeasureFileSize
  styleOf: MeasureStyleSize
}

export function weigh(build: Build, limits = budgets): PageWeight[] {
  const weights = build.pages.map((page) => measureWeight(build, page, limits))
  return weights.sort((a, b) => Number(b.limit !== null) - Number(a.limit !== null) || b.script - a.script)
}

function measureWeight(
  { manifest, sizeOf, styleOf, ...build }: Build,
  page: Table[number],
  limits: readonly Budget[],
): PageWeight {
  const { path } = page
  const name = path instanceof RegExp ? path.source.replaceAll('\\/', '/') : path
  if (!page.componentModule) throw new Error(`The build does not know the module of ${name}`)
  const modules = listModules(page)
  const total = (files: Iterable<string>): number => [...files].reduce((sum, file) => sum + sizeOf(file), 0)
  const entryChunk = build.beginningOf(modules)
  const first = findChunks(manifest, [entryChunk, ...modules])
  const base = new Set(findChunks(manifest, [entryChunk]).scripts)
  const budget = limits.find(({ paths }) => paths === 'every' || paths.includes(name))

  const later = listLazyChunks(manifest, entryChunk, modules).map((key) =>
    new Set(findChunks(manifest, [key]).scripts).difference(new Set(first.scripts)),
  )
  const countedFiles = budget?.withLater ? new Set(later.flatMap((files) => [...files])) : new Set<string>()
  return {
    path: name,
    script: total(first.scripts) + total(countedFiles),
    style: styleOf(first.styles),
    own: total(first.scripts.filter((file) => !base.has(file))),
    files: first.scripts.length,
    lazy: Math.max(0, ...later.map(total)),
    limit: budget?.script ?? null,
    styleLimit: budget?.style ?? defaultStyleLimit,
  }
}

/**
 * Returns the chunks that a page imports on demand, along with everything those chunks import. On-demand imports in the entry chunk are
 * left out, because they are the pages themselves.
 */
function listLazyChunks(manifest: Manifest, beginning: string, modules: string[]): string[] {
  const otherChunks = new Set(chunksWithImports(manifest, [beginning]))
  const found = new Set<string>()
  const addLazyChunks = (keys: string[]): void => {
    const named = chunksWithImports(manifest, keys).flatMap((chunk) =>
      otherChunks.has(chunk) ? [] : (chunk.dynamicImports ?? []),
    )
    const news = named.filter((key) => !found.has(key))
    for (const key of news) found.add(key)
    if (news.length > 0) addLazyChunks(news)
  }
  addLazyChunks(modules)
  return [...found]
}

export function findWeightFaults(weights: readonly PageWeight[], limits = budgets): string[] {
  const over = (path: string, what: string, size: number, limit: number): string[] =>
    size > limit ? [`${path}: ${what} ${(size / 1000).toFixed(1)} KB, above the limit of ${limit / 1000} KB`] : []
  const isBuilt = (path: string): boolean => weights.some((weight) => weight.path === path)
  return [
    ...weights.flatMap(({ path, script, style, own, lazy, limit, styleLimit }) => [
      ...over(path, 'script', script, limit ?? Infinity),
      ...over(path, 'style', style, styleLimit),
      ...over(path, 'script on top of the entry', own, scriptLimitsByPath[path] ?? lazyScriptLimit),
      ...over(path, 'a part loaded later', lazy, lazyScriptLimit),
    ]),
    ...limits.flatMap(({ paths }) =>
      [...(paths === 'every' ? [] : paths)]
        .filter((path) => !isBuilt(path))
        .map((path) => `${path}: has a budget, but there is no such page`),
    ),
  ]
}
