import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a new data folder with the contents prepared by `templates/`. The caller must remove the folder. */
export function createDataFolder(prefix = 'fantail-'): string {
  const home = mkdtempSync(join(tmpdir(), prefix))
  const template = process.env['TEMPLATE_FOLDER']
  if (template) cpSync(template, home, { recursive: true })
  return home
}
