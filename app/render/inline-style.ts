import { createHash } from 'node:crypto'
import type { Assets } from './assets.ts'

/** A style sheet inside a document, and its name in the page's policy, which lets no other in. */
export type InlineStyle = { text: string; source: string }

/**
 * A sheet for a document.
 * @throws Error for one that would end its element
 */
export function inlineStyle(text: string): InlineStyle {
  if (/<\/style/i.test(text)) throw new Error('A style sheet that ends its element')
  return { text, source: `'sha256-${createHash('sha256').update(text).digest('base64')}'` }
}

/**
 * The sheets of the build's pages, each after the colours of the brand: where a page sets one itself, as in forced colours, it wins.
 * @param base where the build's files are served
 */
export function pageStyles(colours: string, assets: Assets, base: string): (files: readonly string[]) => InlineStyle {
  const known = new Map<string, InlineStyle>()
  const textOf = (file: string): string => {
    const asset = assets.get(base + file)
    if (!asset) throw new Error(`The build has no sheet ${file}`)
    return asset.body.toString()
  }
  return (files) => {
    const name = files.join()
    const style = known.get(name) ?? inlineStyle([colours, ...files.map(textOf)].join(''))
    known.set(name, style)
    return style
  }
}
