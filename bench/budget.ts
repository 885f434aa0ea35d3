import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Manifest } from 'vite'
import { buildPortal } from '#app/build.ts'
import type { Sheets } from '#app/build/sheets.ts'
import { entry } from '#app/render/renderer.ts'
import type * as Entry from '#app/web/entry-server.tsx'
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

const weights = weigh({ manifest, sheets, entry, pages, sizeOf })
const kb = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(7)

console.log(' script   limit     css   later   KB, gzip')
for (const { path, script, style, lazy, limit } of weights) {
  console.log(`${kb(script)} ${limit === null ? '      –' : kb(limit)} ${kb(style)} ${kb(lazy)}   ${path}`)
}
const faults = faultsOf(weights)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
