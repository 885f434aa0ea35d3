import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillTemplate } from './fill-template.ts'

export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'fantail-template-'))
  await fillTemplate({ folder }, folder)
  process.env['TEMPLATE_FOLDER'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
