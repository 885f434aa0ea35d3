import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Manifest } from 'vite'
import { buildPortal } from '#app/build.ts'
import { forEver, readAssets } from '#app/render/assets.ts'
import { brandSheet } from '#app/render/brand.ts'
import { pageStyles } from '#app/render/inline-style.ts'
import type * as Entry from '#app/web/entry-server.tsx'
import { fantail } from '#testing/provider.ts'
import { faultsOf, weigh, type SizeOf, type StyleOf } from './weigh.ts'

// Fails when a page has grown past its budget. Sizes are gzip at its best; a KB is 1000 bytes.

const folder = await buildPortal()
const client = join(folder, 'client')
const manifest: Manifest = JSON.parse(await readFile(join(client, 'manifest.json'), 'utf8'))
const { pages }: typeof Entry = await import(pathToFileURL(join(folder, 'server/entry-server.js')).href)

const assets = await readAssets(client, '', forEver)
const sizeOf: SizeOf = (file) => {
  const { gzip } = assets.get(file) ?? {}
  if (!gzip) throw new Error(`${file} was not weighed`)
  return gzip.length
}
const sheetOf = pageStyles(brandSheet(fantail.look.colours), assets, '')
const styleOf: StyleOf = (files) => gzipSync(sheetOf(files).text, { level: 9 }).length

const weights = weigh({ manifest, pages, sizeOf, styleOf })
const kb = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(7)

console.log(' script   limit  files     css   later   KB, gzip')
for (const { path, script, files, style, lazy, limit } of weights) {
  console.log(
    `${kb(script)} ${limit === null ? '      –' : kb(limit)} ${String(files).padStart(6)} ${kb(style)} ${kb(lazy)}   ${path}`,
  )
}
const faults = faultsOf(weights)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
