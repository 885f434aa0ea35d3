import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Manifest } from 'vite'
import type { RenderRequest, RenderedPage } from '../web/render-page.tsx'
import { immutableCache, readAssets, serveAssets, type Assets } from './assets.ts'
import { findChunks, sharedEntryName } from './chunks.ts'
import { renderDocument, type LinkedFile } from './document.ts'
import { pageStyles } from './inline-style.ts'
import type { Renderer, SharedAssets } from './renderer.ts'

type PageParts = { modules: string[]; parts: string[] }

export type PrebuiltRendererOptions = {
  folder(): Promise<string>
  base: string
  beginningOf(modules: readonly string[]): string
  needsScript: string
}

type Entry = { render(request: RenderRequest): Promise<RenderedPage> }

export async function createPrebuiltRenderer(
  { assets: shared, colours, paper }: SharedAssets,
  { base, beginningOf, needsScript, ...built }: PrebuiltRendererOptions,
): Promise<Renderer> {
  const folder = await built.folder()
  const { render }: Entry = await import(pathToFileURL(join(folder, 'server/entry-server.js')).href)
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'client/manifest.json'), 'utf8'))
  const assets: Assets = new Map([...shared, ...(await readAssets(join(folder, 'client'), base, immutableCache))])

  const link = (file: string): LinkedFile => ({ url: base + file, integrity: assets.get(base + file)?.integrity })
  /** Moves the largest file to the front, because the first file is sent over the document's connection, which is already open. */
  const moveLargestToFront = (files: readonly string[]): string[] => {
    const getAssetSize = (file: string): number => assets.get(base + file)?.body.length ?? 0
    const [largest] = files.toSorted((one, other) => getAssetSize(other) - getAssetSize(one))
    return [...new Set([...(largest ? [largest] : []), ...files])]
  }
  const getPageStyle = pageStyles(colours, assets, base)
  const findPageFiles = ({ modules, parts }: PageParts): ReturnType<typeof findFiles> => {
    const key = [modules, parts].join('&')
    const files = filesByKey.get(key) ?? findFiles({ modules, parts })
    filesByKey.set(key, files)
    return files
  }
  const filesByKey = new Map<string, ReturnType<typeof findFiles>>()
  const findFiles = ({ modules, parts }: PageParts) => {
    const first = beginningOf(modules)
    const isExecuted = (file: string): boolean => file.startsWith(sharedEntryName) || file === manifest[first]?.file
    const { scripts, styles } = findChunks(manifest, [first, ...modules, ...parts])
    const links = {
      scripts: scripts.filter(isExecuted).map(link),
      preloads: moveLargestToFront(scripts.filter((file) => !isExecuted(file))).map(link),
      styles: [],
      contained: styles.map(link),
    }
    return { links, style: getPageStyle(styles) }
  }

  return {
    async render({ notices, ...request }) {
      const [page, above = null] = await Promise.all([render(request), notices])
      if (page.status === 302) return page
      const { links, style } = findPageFiles(page)
      return {
        status: page.status,
        ...renderDocument({
          ...page,
          bootstrap: request.bootstrap,
          style: style.text,
          links,
          paper,
          needsScript,
          notices: above,
        }),
        style: above ? `${style.source} ${above.style.source}` : style.source,
      }
    },
    registerAssets: (app) => serveAssets(app, assets, ['/static/', base]),
  }
}
