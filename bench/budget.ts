import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Manifest } from 'vite'
import { buildPortal } from '#app/build.ts'
import { entry } from '#app/render/renderer.ts'
import type * as Entry from '#app/web/entry-server.tsx'
import { budgets, faultsOf, weigh, type SizeOf } from './weigh.ts'

// Fails when a page has grown past its budget. Sizes are gzip at its best; a KB is 1000 bytes.

const folder = await buildPortal()
const manifest: Manifest = JSON.parse(await readFile(join(folder, 'client/manifest.json'), 'utf8'))
const { pages }: typeof Entry = await import(pathToFileURL(join(folder, 'server/entry-server.js')).href)

const sizes = new Map<string, number>()
for (const { file, css = [] } of Object.values(manifest)) {
  for (const name of [file, ...css]) {
    if (/\.(js|css)$/.test(name)) sizes.set(name, (await readFile(join(folder, 'client', `${name}.gz`))).length)
  }
}
const sizeOf: SizeOf = (file) => sizes.get(file) ?? 0

const weights = weigh({ manifest, entry, pages, sizeOf })
const kb = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(7)

console.log(' script   limit     css  lazily   KB, gzip')
for (const { path, script, style, lazy, limit } of weights) {
  console.log(`${kb(script)} ${limit === null ? '      –' : kb(limit)} ${kb(style)} ${kb(lazy)}   ${path}`)
}
for (const { path, script } of budgets) {
  if (!weights.some((weight) => weight.path === path)) console.log(`      – ${kb(script)}                   ${path} (not built yet)`)
}
const faults = faultsOf(weights)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
