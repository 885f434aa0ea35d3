import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from 'vite'
import { chunksOf, firstOf, modulesOf, type PageModules } from '../render/chunks.ts'

/** The one style sheet of a page, by the names of those that it joins. */
export type Sheets = Record<string, string>

/**
 * Joins the style sheets of each page: one request before the first paint instead of five, and a fifth less to load.
 * The parts stay as they are, for who comes to the page from another.
 * @param folder of the client's build, into which the joined sheets are written
 */
export async function joinSheets(folder: string, manifest: Manifest, pages: readonly PageModules[]): Promise<Sheets> {
  const sheets: Sheets = {}
  for (const page of pages) {
    const { styles } = chunksOf(manifest, [firstOf(modulesOf(page)), ...modulesOf(page)])
    sheets[styles.join()] ??= await joined(folder, styles)
  }
  return sheets
}

async function joined(folder: string, styles: readonly string[]): Promise<string> {
  const text = (await Promise.all(styles.map((style) => readFile(join(folder, style), 'utf8')))).join('')
  const name = `page-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}.css`
  await writeFile(join(folder, name), text)
  return name
}

/**
 * The sheet that joins these.
 * @throws Error for styles that are no page's
 */
export function sheetOf(sheets: Sheets, styles: readonly string[]): string {
  const sheet = sheets[styles.join()]
  if (!sheet) throw new Error(`The build has no sheet that joins ${styles.join()}`)
  return sheet
}
