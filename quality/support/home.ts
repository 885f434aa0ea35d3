import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A data folder of its own, with what `templates/` has made beforehand; who asks for it removes it. */
export function newHome(prefix = 'fantail-'): string {
  const home = mkdtempSync(join(tmpdir(), prefix))
  const template = process.env['TEMPLATE_FOLDER']
  if (template) cpSync(template, home, { recursive: true })
  return home
}
