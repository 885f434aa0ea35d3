import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Manifest } from 'vite'
import { buildPortal } from '#app/build.ts'
import { immutableCache, readAssets } from '#app/render/assets.ts'
import { createBrandStyleSheet } from '#app/render/brand.ts'
import { firstPageEntry } from '#app/render/chunks.ts'
import { pageStyles } from '#app/render/inline-style.ts'
import type * as Entry from '#app/web/entry-server.tsx'
import { buildDesk } from '#desk/app/build.ts'
import { entryScript } from '#desk/app/render.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import {
  type Budget,
  budgets,
  deskBudgets,
  findWeightFaults,
  weigh,
  type MeasureFileSize,
  type MeasureStyleSize,
} from './page-weights.ts'

// This program fails if a page exceeds its size budget. Sizes are measured after gzip at its best compression level; 1 KB is 1000 bytes.

const faults = [
  ...(await tell('of the portal', { folder: await buildPortal(), beginningOf: firstPageEntry, limits: budgets })),
  ...(await tell('of the desk', { folder: await buildDesk(), beginningOf: () => entryScript, limits: deskBudgets })),
]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0

type Bundle = {
  folder: string
  beginningOf(modules: readonly string[]): string
  limits: readonly Budget[]
}

async function tell(what: string, { folder, beginningOf, limits }: Bundle): Promise<string[]> {
  const clientFolder = join(folder, 'client')
  const manifest: Manifest = JSON.parse(await readFile(join(clientFolder, 'manifest.json'), 'utf8'))
  const { pages }: Pick<typeof Entry, 'pages'> = await import(
    pathToFileURL(join(folder, 'server/entry-server.js')).href
  )

  const assets = await readAssets(clientFolder, '', immutableCache)
  const getGzipSize: MeasureFileSize = (file) => {
    const { gzip } = assets.get(file) ?? {}
    if (!gzip) throw new Error(`${file} was not weighed`)
    return gzip.length
  }
  const getPageSheet = pageStyles(createBrandStyleSheet(fantailProvider.look.colours), assets, '')
  const measureStyleSize: MeasureStyleSize = (files) => gzipSync(getPageSheet(files).text, { level: 9 }).length

  const weights = weigh({ manifest, pages, beginningOf, sizeOf: getGzipSize, styleOf: measureStyleSize }, limits)
  console.log(` script   limit  files     css   later   KB, gzip, ${what}`)
  for (const { path, script, files, style, lazy, limit } of weights) {
    console.log(
      `${kb(script)} ${limit === null ? '      –' : kb(limit)} ${String(files).padStart(6)} ${kb(style)} ${kb(lazy)}   ${path}`,
    )
  }
  return findWeightFaults(weights, limits)
}

function kb(bytes: number): string {
  return (bytes / 1000).toFixed(1).padStart(7)
}
