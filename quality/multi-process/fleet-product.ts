import { rmSync } from 'node:fs'
import { findFreePort } from '#kit/server/free-port.ts'
import { readConfig } from '#kit/server/config.ts'
import { start } from '#app/start.ts'
import { makeDatabase } from '#quality/support/database.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { type Fleet, startFleet } from './fleet.ts'

/**
 * The environment variable that contains the folder of the TLS certificates. If it is set, each test world runs Fantail as a fleet of
 * processes.
 */
export const fleetAuthorityVariable = 'FLEET_CERTIFICATES'

/**
 * Starts a fleet on a new database, along with an extra Fantail process that customers never reach. Tests use that process to work on the
 * database directly.
 */
export async function startFleetProduct(env: Record<string, string>, { pages }: { pages: boolean }) {
  const home = createDataFolder('fantail-fleet-')
  const database = await makeDatabase(process.env['DATABASE_URL'] ?? '')
  const fleet: Fleet = await startFleet({
    home,
    databaseUrl: database.url,
    certificates: process.env[fleetAuthorityVariable] ?? '',
    env,
    pages,
  })
  const inProcessConfig = readConfig({
    ...fleet.env,
    ROLE: 'web',
    DATA_DIR: home,
    PORT: env['PORT'] ?? String(await findFreePort()),
  })
  const product = await start(inProcessConfig, { pages: 'none' })
  return {
    url: fleet.url,
    fleet,
    product,
    async close() {
      await product.close()
      await fleet.close()
      rmSync(home, { recursive: true, force: true })
      await database.drop()
    },
  }
}
