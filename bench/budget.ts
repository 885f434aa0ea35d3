import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Manifest } from 'vite'
import { buildPortal } from '#app/build.ts'
import type { Sheets } from '#app/build/sheets.ts'
import { brandAssets } from '#app/render/brand.ts'
import type * as Entry from '#app/web/entry-server.tsx'
import { fantail } from '#testing/provider.ts'
import { faultsOf, weigh, type SizeOf } from './weigh.ts'

// Fails when a page has grown past its budget. Sizes are gzip at its best; a KB is 1000 bytes.

const folder = await buildPortal()
const read = (name: string): Promise<string> => readFile(join(folder, 'client', name), 'utf8')
const manifest: Manifest = JSON.parse(await read('manifest.json'))
const sheets: Sheets = JSON.parse(await read('sheets.json'))
const { pages }: typeof Entry = await import(pathToFileURL(join(folder, 'server/entry-server.js')).href)

const sizes = new Map<string, number>()
const scripts = Object.values(manifest).map(({ file }) => file).filter((file) => file.endsWith('.js'))
for (const name of [...scripts, ...Object.values(sheets)]) {
  sizes.set(name, (await readFile(join(folder, 'client', `${name}.gz`))).length)
}
const sizeOf: SizeOf = (file) => {
  const size = sizes.get(file)
  if (size === undefined) throw new Error(`Nobody has weighed ${file}`)
  return size
}

const { assets, dress } = await brandAssets(fantail.brand, fantail.look)
const brandSheet = assets.get(dress.sheet.url)?.gzip?.length
if (!brandSheet) throw new Error('Nobody has weighed the sheet of the brand')

const weights = weigh({ manifest, sheets, pages, sizeOf, brandSheet })
const kb = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(7)

console.log(' script   limit  files     css   later   KB, gzip')
for (const { path, script, files, style, lazy, limit } of weights) {
  console.log(`${kb(script)} ${limit === null ? '      –' : kb(limit)} ${String(files).padStart(6)} ${kb(style)} ${kb(lazy)}   ${path}`)
}
const faults = faultsOf(weights)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
