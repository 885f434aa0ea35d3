import type { Manifest, ManifestChunk } from 'vite'

type Chunks = { scripts: string[]; styles: string[] }

export type PageModules = { componentModule?: string; loaderModule?: string }

export const listModules = ({ loaderModule, componentModule }: PageModules): string[] =>
  [loaderModule, componentModule].filter((module) => module !== undefined)

/** Prefix of the script that every page loads. Error reports identify the build by this script's name. */
export const sharedEntryName = 'entry-client'

export const firstPageEntry = (modules: readonly string[]): string => `app/web/first.ts?${modules.join('&')}`

export function findChunks(manifest: Manifest, modules: readonly string[]): Chunks {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  for (const chunk of chunksWithImports(manifest, modules)) {
    scripts.add(chunk.file)
    for (const style of chunk.css ?? []) styles.add(style)
  }
  return { scripts: [...scripts], styles: [...styles] }
}

/**
 * Returns the chunks for the given modules and all their imports. Each chunk comes after the chunks that it imports,
 * because styles must load in that order.
 * @throws Error if a module is not in the build
 */
export function chunksWithImports(manifest: Manifest, modules: readonly string[]): ManifestChunk[] {
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
