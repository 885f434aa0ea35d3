import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDatabase } from '#quality/support/database.ts'
import { fillTemplate } from './fill-template.ts'

export default async function setup(): Promise<() => Promise<void>> {
  const database = await makeDatabase(process.env['DATABASE_URL'] ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'fantail-template-'))
  await fillTemplate({ url: database.url }, folder)
  process.env['TEMPLATE_DATABASE'] = new URL(database.url).pathname.slice(1)
  process.env['TEMPLATE_FOLDER'] = folder
  return async () => {
    rmSync(folder, { recursive: true, force: true })
    await database.drop()
  }
}
