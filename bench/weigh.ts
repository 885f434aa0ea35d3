import type { Manifest } from 'vite'
import { chunksOf, closure } from '#app/render/chunks.ts'

/** Bytes of a file of the build, compressed. */
export type SizeOf = (file: string) => number

type Table = readonly { path: string | RegExp; loadModule?: string; needsModule?: string }[]

/** What a page may weigh in script, in bytes, on a first load. */
type Budget = {
  path: string
  script: number
  /** The budget holds for the heaviest of these pages, with all that they load later. */
  group?: RegExp
}

export const budgets: readonly Budget[] = [
  { path: '/login/', script: 90_000 },
  { path: '/', script: 96_000 },
  // Card encryption and the phone rules come lazily, but nobody activates without them.
  { path: '/activate/', script: 105_000, group: /^\/activate\// },
]

const styleLimit = 6_000
/** Any page on top of the entry, and anything that a page loads later. */
const lazyLimit = 25_000

export type Weight = {
  path: string
  /** Everything before the page can start. */
  script: number
  style: number
  /** The page's part of it, which a visitor who is already here has to fetch. */
  own: number
  /** The heaviest of what it may load later, on top. */
  lazy: number
  limit: number | null
}

type Build = { manifest: Manifest; entry: string; pages: Table; sizeOf: SizeOf }

/** What each page of the table weighs, the budgeted ones first. */
export function weigh(build: Build): Weight[] {
  const weights = build.pages.map((page) => weightOf(build, page))
  return weights.sort((a, b) => Number(b.limit !== null) - Number(a.limit !== null) || b.script - a.script)
}

function weightOf({ manifest, entry, sizeOf }: Build, { path, loadModule, needsModule }: Table[number]): Weight {
  const name = path instanceof RegExp ? path.source.replaceAll('\\/', '/') : path
  if (!loadModule) throw new Error(`The build does not know the module of ${name}`)
  const modules = needsModule ? [needsModule, loadModule] : [loadModule]
  const total = (files: Iterable<string>): number => [...files].reduce((sum, file) => sum + sizeOf(file), 0)
  const first = chunksOf(manifest, [entry, ...modules])
  const base = new Set(chunksOf(manifest, [entry]).scripts)
  const budget = budgets.find((budget) => budget.path === name || budget.group?.test(name))

  const later = laterOf(manifest, entry, modules).map((key) => new Set(chunksOf(manifest, [key]).scripts).difference(new Set(first.scripts)))
  const reached = budget?.group ? new Set(later.flatMap((files) => [...files])) : new Set<string>()
  return {
    path: name,
    script: total(first.scripts) + total(reached),
    style: total(first.styles),
    own: total(first.scripts.filter((file) => !base.has(file))),
    lazy: Math.max(0, ...later.map(total)),
    limit: budget?.script ?? null,
  }
}

/** The chunks that a page imports when it needs them. The entry's own are the other pages. */
function laterOf(manifest: Manifest, entry: string, modules: string[]): string[] {
  const others = new Set(closure(manifest, [entry]))
  return closure(manifest, modules).flatMap((chunk) => (others.has(chunk) ? [] : (chunk.dynamicImports ?? [])))
}

/** A sentence for each limit that is passed. */
export function faultsOf(weights: readonly Weight[]): string[] {
  const over = (path: string, what: string, size: number, limit: number): string[] =>
    size > limit ? [`${path}: ${what} ${(size / 1000).toFixed(1)} KB, over its ${limit / 1000} KB`] : []
  return weights.flatMap(({ path, script, style, own, lazy, limit }) => [
    ...over(path, 'script', script, limit ?? Infinity),
    ...over(path, 'style', style, styleLimit),
    ...over(path, 'script on top of the entry', own, lazyLimit),
    ...over(path, 'a part loaded later', lazy, lazyLimit),
  ])
}
