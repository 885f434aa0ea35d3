import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Manifest } from 'vite'
import { buildPortal } from '../build.ts'
import { sheetOf, type Sheets } from '../build/sheets.ts'
import type * as Entry from '../web/entry-server.tsx'
import { forEver, readAssets, serveAssets, type Assets } from './assets.ts'
import { chunksOf, everyPages, firstOf } from './chunks.ts'
import { documentOf, type Linked, type Links } from './document.ts'
import { base, type Renderer, type Shared } from './renderer.ts'

/** Renders from a build, which is made first if these sources have none. */
export async function builtRenderer({ assets: shared, dress }: Shared): Promise<Renderer> {
  const folder = await buildPortal()
  const { render }: typeof Entry = await import(pathToFileURL(join(folder, 'server/entry-server.js')).href)
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'client/manifest.json'), 'utf8'))
  const sheets: Sheets = JSON.parse(await readFile(join(folder, 'client/sheets.json'), 'utf8'))
  const assets: Assets = new Map([...shared, ...(await readAssets(join(folder, 'client'), base, forEver))])

  const link = (file: string): Linked => ({ url: base + file, integrity: assets.get(base + file)?.integrity })
  const linksOf = (modules: string[]): Links => {
    const first = firstOf(modules)
    const isRun = (file: string): boolean => file.startsWith(everyPages) || file === manifest[first]?.file
    const { scripts, styles } = chunksOf(manifest, [first, ...modules])
    return {
      scripts: scripts.filter(isRun).map(link),
      preloads: scripts.filter((file) => !isRun(file)).map(link),
      styles: [link(sheetOf(sheets, styles))],
      contained: styles.map(link),
    }
  }

  return {
    async render({ url, api, bootstrap, onError }) {
      const page = await render({ url, api, bootstrap, onError })
      if (page.status === 302) return page
      const links = linksOf(page.modules)
      return { status: page.status, html: documentOf({ ...page, bootstrap, links, dress }) }
    },
    registerAssets: (app) => serveAssets(app, assets),
  }
}
