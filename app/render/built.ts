import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Manifest } from 'vite'
import { buildPortal } from '../build.ts'
import type * as Entry from '../web/entry-server.tsx'
import { forEver, readAssets, serveAssets, type Assets } from './assets.ts'
import { chunksOf, everyPages, firstOf } from './chunks.ts'
import { documentOf, type Linked } from './document.ts'
import { pageStyles } from './inline-style.ts'
import { base, type Renderer, type Shared } from './renderer.ts'

/** Renders from a build, which is made first if these sources have none. */
export async function builtRenderer({ assets: shared, colours, paper }: Shared): Promise<Renderer> {
  const folder = await buildPortal()
  const { render }: typeof Entry = await import(pathToFileURL(join(folder, 'server/entry-server.js')).href)
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'client/manifest.json'), 'utf8'))
  const assets: Assets = new Map([...shared, ...(await readAssets(join(folder, 'client'), base, forEver))])

  const link = (file: string): Linked => ({ url: base + file, integrity: assets.get(base + file)?.integrity })
  /** The first comes over the document's own connection, which is there already and quicker. */
  const largestFirst = (files: readonly string[]): string[] => {
    const sizeOf = (file: string): number => assets.get(base + file)?.body.length ?? 0
    const [largest] = files.toSorted((one, other) => sizeOf(other) - sizeOf(one))
    return [...new Set([...(largest ? [largest] : []), ...files])]
  }
  const styleOf = pageStyles(colours, assets, base)
  /** All that a page of these modules fetches or holds; of as many sets of modules as there are kinds of pages. */
  const filesOf = (modules: string[]): ReturnType<typeof findFiles> => {
    const key = modules.join()
    const files = known.get(key) ?? findFiles(modules)
    known.set(key, files)
    return files
  }
  const known = new Map<string, ReturnType<typeof findFiles>>()
  const findFiles = (modules: string[]) => {
    const first = firstOf(modules)
    const isRun = (file: string): boolean => file.startsWith(everyPages) || file === manifest[first]?.file
    const { scripts, styles } = chunksOf(manifest, [first, ...modules])
    const links = {
      scripts: scripts.filter(isRun).map(link),
      preloads: largestFirst(scripts.filter((file) => !isRun(file))).map(link),
      styles: [],
      contained: styles.map(link),
    }
    return { links, style: styleOf(styles) }
  }

  return {
    async render({ url, api, bootstrap, onError }) {
      const page = await render({ url, api, bootstrap, onError })
      if (page.status === 302) return page
      const { links, style } = filesOf(page.modules)
      return {
        status: page.status,
        html: documentOf({ ...page, bootstrap, style: style.text, links, paper }),
        style: style.source,
      }
    },
    registerAssets: (app) => serveAssets(app, assets),
  }
}
