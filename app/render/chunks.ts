import type { Manifest, ManifestChunk } from 'vite'

/** The files a page cannot start without, in loading order; names as in the build's client folder. */
type Chunks = { scripts: string[]; styles: string[] }

/** The source modules behind a page, as the build has written them into the table of pages. */
export type PageModules = { loadModule?: string; needsModule?: string }

/** A page's modules, what it needs first. */
export const modulesOf = ({ needsModule, loadModule }: PageModules): string[] =>
  [needsModule, loadModule].filter((module) => module !== undefined)

/** How the name of the script begins that every page has: error reports tell one build from another by it. */
export const everyPages = 'entry-client'

/**
 * With which script the document of a first visit begins: one that fetches a page of these modules, and no other.
 * `app/build/first-pages.ts` writes it.
 */
export const firstOf = (modules: readonly string[]): string => `app/web/first.ts?${modules.join('&')}`

/** The scripts and styles of some source modules and of everything they import statically. */
export function chunksOf(manifest: Manifest, modules: readonly string[]): Chunks {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  for (const chunk of closure(manifest, modules)) {
    scripts.add(chunk.file)
    for (const style of chunk.css ?? []) styles.add(style)
  }
  return { scripts: [...scripts], styles: [...styles] }
}

/**
 * The chunks of some modules with all they import; a chunk comes after its imports, as styles need it.
 * @throws Error for a module that the build does not know
 */
export function closure(manifest: Manifest, modules: readonly string[]): ManifestChunk[] {
  const seen = new Set<string>()
  const found: ManifestChunk[] = []
  const visit = (key: string): void => {
    if (seen.has(key)) return
    seen.add(key)
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The build has no chunk for ${key}`)
    for (const imported of chunk.imports ?? []) visit(imported)
    found.push(chunk)
  }
  for (const module of modules) visit(module)
  return found
}
