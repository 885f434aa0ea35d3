import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { extractClassNames } from '#app/build/class-names.ts'

const moduleIdPrefix = '\0names-of:'

/** A Vite plugin that gives components under test the class names from their CSS modules, but not the styles, which browser tests check. */
export const cssClassNames = (root: string): Plugin => ({
  name: 'sheet-names',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer || !source.endsWith('.module.css')) return null
    const path = source.startsWith('#') ? join(root, source.slice(1)) : join(dirname(importer), source)
    // Add the suffix `.js`. Otherwise, Vite would process the module as a style sheet.
    return `${moduleIdPrefix}${path}.js`
  },
  load(id) {
    if (!id.startsWith(moduleIdPrefix)) return null
    const names = new Set(extractClassNames(readFileSync(id.slice(moduleIdPrefix.length, -'.js'.length), 'utf8')))
    const identifiers = [...names].filter((name) => /^\w+$/.test(name))
    return identifiers.map((name) => `export const ${name} = '${name}'\n`).join('')
  },
})
