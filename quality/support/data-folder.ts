import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a new data folder with the contents prepared by `templates/`. The caller must remove the folder. */
export function createDataFolder(prefix = 'fantail-'): string {
  const home = mkdtempSync(join(tmpdir(), prefix))
  const templateFolder = process.env['TEMPLATE_FOLDER']
  if (templateFolder) cpSync(templateFolder, home, { recursive: true })
  return home
}
