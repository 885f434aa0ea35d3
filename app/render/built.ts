import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Manifest } from 'vite'
import { buildPortal } from '../build.ts'
import { sheetOf, type Sheets } from '../build/sheets.ts'
import type * as Entry from '../web/entry-server.tsx'
import { forEver, readAssets, serveAssets, type Assets } from './assets.ts'
import { chunksOf } from './chunks.ts'
import { documentOf, type Linked, type Links } from './document.ts'
import { base, entry, type Renderer, type RendererOptions } from './renderer.ts'

/** Renders from a build, which is made first if these sources have none. */
export async function builtRenderer({ onError }: RendererOptions, shared: Assets): Promise<Renderer> {
  const folder = await buildPortal()
  const { render }: typeof Entry = await import(pathToFileURL(join(folder, 'server/entry-server.js')).href)
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'client/manifest.json'), 'utf8'))
  const sheets: Sheets = JSON.parse(await readFile(join(folder, 'client/sheets.json'), 'utf8'))
  const assets: Assets = new Map([...shared, ...(await readAssets(join(folder, 'client'), base, forEver))])

  const link = (file: string): Linked => ({ url: base + file, integrity: assets.get(base + file)?.integrity })
  const linksOf = (modules: string[]): Links => {
    const main = manifest[entry]?.file
    const { scripts, styles } = chunksOf(manifest, modules)
    return {
      scripts: scripts.filter((file) => file === main).map(link),
      preloads: scripts.filter((file) => file !== main).map(link),
      styles: [link(sheetOf(sheets, styles))],
      contained: styles.map(link),
    }
  }

  return {
    async render({ url, api, bootstrap }) {
      const page = await render({ url, api, bootstrap, onError })
      if (page.status === 302) return page
      const links = linksOf([entry, ...page.modules])
      return { status: page.status, html: documentOf({ ...page, bootstrap, links }) }
    },
    registerAssets: (app) => serveAssets(app, assets),
  }
}
