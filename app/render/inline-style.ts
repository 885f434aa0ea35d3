import { createHash } from 'node:crypto'
import type { Assets } from './assets.ts'

export type InlineStyle = { text: string; source: string }

/**
 * Creates an inline style sheet and its hash for the Content-Security-Policy.
 * @throws Error if the text would close the style element
 */
export function inlineStyle(text: string): InlineStyle {
  if (/<\/style/i.test(text)) throw new Error('A style sheet that ends its element')
  return { text, source: `'sha256-${createHash('sha256').update(text).digest('base64')}'` }
}

/**
 * Joins a page's style sheets into one inline style. The brand's colours come first, so that a page can override a
 * colour.
 * @param base URL path of the build's files
 */
export function pageStyles(colours: string, assets: Assets, base: string): (files: readonly string[]) => InlineStyle {
  const known = new Map<string, InlineStyle>()
  const readAssetText = (file: string): string => {
    const asset = assets.get(base + file)
    if (!asset) throw new Error(`The build has no sheet ${file}`)
    return asset.body.toString()
  }
  return (files) => {
    const name = files.join()
    const style = known.get(name) ?? inlineStyle([colours, ...files.map(readAssetText)].join(''))
    known.set(name, style)
    return style
  }
}
