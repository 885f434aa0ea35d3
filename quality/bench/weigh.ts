import type { Manifest } from 'vite'
import { chunksOf, closure, modulesOf, type PageModules } from '#app/render/chunks.ts'

/** Bytes of a file of the build, compressed. */
export type SizeOf = (file: string) => number
/** Bytes of the one sheet that holds the brand's colours and these, compressed. */
export type StyleOf = (files: readonly string[]) => number

type Table = readonly (PageModules & { path: string | RegExp })[]

/** What some pages may weigh in script, in bytes, on a first load. */
export type Budget = {
  paths: readonly string[] | 'every'
  script: number
  /** What their sheet may weigh, where it is not the usual. */
  style?: number
  /** What the pages load later counts too, because no page gets by without it. */
  withLater?: true
}

export const budgets: readonly Budget[] = [
  { paths: ['/login/'], script: 90_000 },
  { paths: ['/'], script: 96_000 },
  {
    // Card encryption comes lazily, but there is no activation without it.
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

/** Of the desk; its people come back all day to what their browser has kept. */
export const deskBudgets: readonly Budget[] = [{ paths: 'every', script: 110_000, style: 8_000 }]

const usualStyle = 6_000
/** Any page on top of the entry, and anything that a page loads later. */
const lazyLimit = 25_000
/**
 * Higher limits, by path. Renewal asks which plan, when and with what on one page, and says first what auto-renewal
 * would do. Both pages also hold the code of long lists of numbers (0.2 KB).
 */
const beyond: Record<string, number> = {
  '^/services/renew/(?<shortId>\\d[^/]*)/(?:(?<paymentMethod>plan)/)?$': 26_750,
  '^/services/renew/(?<shortId>\\d[^/]*)/(?<paymentMethod>voucher)/(?:(?<code>[^/]+)/)?$': 25_550,
}

type Weight = {
  path: string
  /** Everything before the page can start, and what its budget counts with it. */
  script: number
  style: number
  /** The page's part of it, which a visitor who is already here has to fetch. */
  own: number
  /** How many files the script is, of those before the page can start. */
  files: number
  /** The heaviest of what it may load later, on top. */
  lazy: number
  limit: number | null
  styleLimit: number
}

type Build = {
  manifest: Manifest
  pages: Table
  /** With which script, by its key in the manifest, a page of these modules begins. */
  beginningOf(modules: readonly string[]): string
  sizeOf: SizeOf
  styleOf: StyleOf
}

/** What each page of the table weighs, the budgeted ones first. */
export function weigh(build: Build, limits = budgets): Weight[] {
  const weights = build.pages.map((page) => weightOf(build, page, limits))
  return weights.sort((a, b) => Number(b.limit !== null) - Number(a.limit !== null) || b.script - a.script)
}

function weightOf(
  { manifest, sizeOf, styleOf, ...build }: Build,
  page: Table[number],
  limits: readonly Budget[],
): Weight {
  const { path } = page
  const name = path instanceof RegExp ? path.source.replaceAll('\\/', '/') : path
  if (!page.loadModule) throw new Error(`The build does not know the module of ${name}`)
  const modules = modulesOf(page)
  const total = (files: Iterable<string>): number => [...files].reduce((sum, file) => sum + sizeOf(file), 0)
  const beginning = build.beginningOf(modules)
  const first = chunksOf(manifest, [beginning, ...modules])
  const base = new Set(chunksOf(manifest, [beginning]).scripts)
  const budget = limits.find(({ paths }) => paths === 'every' || paths.includes(name))

  const later = laterOf(manifest, beginning, modules).map((key) =>
    new Set(chunksOf(manifest, [key]).scripts).difference(new Set(first.scripts)),
  )
  const counted = budget?.withLater ? new Set(later.flatMap((files) => [...files])) : new Set<string>()
  return {
    path: name,
    script: total(first.scripts) + total(counted),
    style: styleOf(first.styles),
    own: total(first.scripts.filter((file) => !base.has(file))),
    files: first.scripts.length,
    lazy: Math.max(0, ...later.map(total)),
    limit: budget?.script ?? null,
    styleLimit: budget?.style ?? usualStyle,
  }
}

/**
 * The chunks that a page imports when it needs them, and those that these import then. The beginning's own are the page itself and
 * the other pages.
 */
function laterOf(manifest: Manifest, beginning: string, modules: string[]): string[] {
  const others = new Set(closure(manifest, [beginning]))
  const found = new Set<string>()
  const follow = (keys: string[]): void => {
    const named = closure(manifest, keys).flatMap((chunk) => (others.has(chunk) ? [] : (chunk.dynamicImports ?? [])))
    const news = named.filter((key) => !found.has(key))
    for (const key of news) found.add(key)
    if (news.length > 0) follow(news)
  }
  follow(modules)
  return [...found]
}

/** A sentence for each limit that is passed, and for each page with a budget that is not there. */
export function faultsOf(weights: readonly Weight[], limits = budgets): string[] {
  const over = (path: string, what: string, size: number, limit: number): string[] =>
    size > limit ? [`${path}: ${what} ${(size / 1000).toFixed(1)} KB, over its ${limit / 1000} KB`] : []
  const isBuilt = (path: string): boolean => weights.some((weight) => weight.path === path)
  return [
    ...weights.flatMap(({ path, script, style, own, lazy, limit, styleLimit }) => [
      ...over(path, 'script', script, limit ?? Infinity),
      ...over(path, 'style', style, styleLimit),
      ...over(path, 'script on top of the entry', own, beyond[path] ?? lazyLimit),
      ...over(path, 'a part loaded later', lazy, lazyLimit),
    ]),
    ...limits.flatMap(({ paths }) =>
      [...(paths === 'every' ? [] : paths)]
        .filter((path) => !isBuilt(path))
        .map((path) => `${path}: has a budget, but is no page`),
    ),
  ]
}
