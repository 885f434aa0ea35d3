import { cpSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeDatabase } from './database.ts'
import { createDataFolder } from './data-folder.ts'

/**
 * Creates a data folder and a database for several test worlds, one after another. The database can be backed up and restored while no
 * world is running. The simulators keep their state.
 */
export async function createRestorableProduct() {
  const dataDir = createDataFolder('fantail-restorable-')
  const server = process.env['DATABASE_URL']
  const database = server ? await makeDatabase(server) : null
  const [embedded, copy] = [join(dataDir, 'pg'), join(dataDir, 'pg-backup')]
  return {
    dataDir,
    env: { DATA_DIR: dataDir, ...(database && { DATABASE_URL: database.url }) },
    async backUp(): Promise<void> {
      if (database) await database.backUp()
      else cpSync(embedded, copy, { recursive: true })
    },
    async restore(): Promise<void> {
      if (database) return database.restore()
      rmSync(embedded, { recursive: true })
      renameSync(copy, embedded)
    },
    async remove(): Promise<void> {
      await database?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
