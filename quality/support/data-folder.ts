import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a new data folder with the prepared contents of `templates/`. The caller removes it. */
export function createDataFolder(prefix = 'fantail-'): string {
  const home = mkdtempSync(join(tmpdir(), prefix))
  const template = process.env['TEMPLATE_FOLDER']
  if (template) cpSync(template, home, { recursive: true })
  return home
}
