import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Manifest } from 'vite'
import type { RenderRequest, Rendered } from '../web/render-page.tsx'
import { forEver, readAssets, serveAssets, type Assets } from './assets.ts'
import { chunksOf, everyPages } from './chunks.ts'
import { documentOf, type Linked } from './document.ts'
import { pageStyles } from './inline-style.ts'
import type { Renderer, Shared } from './renderer.ts'

type Made = { modules: string[]; parts: string[] }

export type Built = {
  folder(): Promise<string>
  base: string
  beginningOf(modules: readonly string[]): string
  needsScript: string
}

type Entry = { render(request: RenderRequest): Promise<Rendered> }

export async function builtRenderer(
  { assets: shared, colours, paper }: Shared,
  { base, beginningOf, needsScript, ...built }: Built,
): Promise<Renderer> {
  const folder = await built.folder()
  const { render }: Entry = await import(pathToFileURL(join(folder, 'server/entry-server.js')).href)
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'client/manifest.json'), 'utf8'))
  const assets: Assets = new Map([...shared, ...(await readAssets(join(folder, 'client'), base, forEver))])

  const link = (file: string): Linked => ({ url: base + file, integrity: assets.get(base + file)?.integrity })
  /** The largest file comes first: it uses the document's own connection, which is open already and faster. */
  const largestFirst = (files: readonly string[]): string[] => {
    const sizeOf = (file: string): number => assets.get(base + file)?.body.length ?? 0
    const [largest] = files.toSorted((one, other) => sizeOf(other) - sizeOf(one))
    return [...new Set([...(largest ? [largest] : []), ...files])]
  }
  const styleOf = pageStyles(colours, assets, base)
  const filesOf = ({ modules, parts }: Made): ReturnType<typeof findFiles> => {
    const key = [modules, parts].join('&')
    const files = known.get(key) ?? findFiles({ modules, parts })
    known.set(key, files)
    return files
  }
  const known = new Map<string, ReturnType<typeof findFiles>>()
  const findFiles = ({ modules, parts }: Made) => {
    const first = beginningOf(modules)
    const isRun = (file: string): boolean => file.startsWith(everyPages) || file === manifest[first]?.file
    const { scripts, styles } = chunksOf(manifest, [first, ...modules, ...parts])
    const links = {
      scripts: scripts.filter(isRun).map(link),
      preloads: largestFirst(scripts.filter((file) => !isRun(file))).map(link),
      styles: [],
      contained: styles.map(link),
    }
    return { links, style: styleOf(styles) }
  }

  return {
    async render({ notices, ...request }) {
      const [page, above = null] = await Promise.all([render(request), notices])
      if (page.status === 302) return page
      const { links, style } = filesOf(page)
      return {
        status: page.status,
        ...documentOf({
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
