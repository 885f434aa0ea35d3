/**
 * The program behind `npm run test:multiprocess`. It runs every browser test against two web processes and two worker processes behind the
 * proxy from docs/going-live.md, and restarts and kills those processes under load. It uses the PostgreSQL server in `DATABASE_URL`, or
 * else a local one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalPostgres } from '#quality/support/local-postgres.ts'
import { reportResults, type Tally, vitest } from '#quality/runner/test-tally.ts'
import { makeCertificates } from './certificates.ts'
import { fleetAuthorityVariable } from './fleet-product.ts'

// Ignore both signals here: they also end the running tests, and this process must stay alive to clean up.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})

const certificates = mkdtempSync(join(tmpdir(), 'fantail-certificates-'))
const authorityPath = makeCertificates(certificates)
const localPostgres = process.env['DATABASE_URL'] ? null : await startLocalPostgres()
try {
  reportResults(await runTestsOnDatabase(localPostgres?.url ?? process.env['DATABASE_URL'] ?? ''))
} finally {
  await localPostgres?.giveBack()
  rmSync(certificates, { recursive: true, force: true })
}

async function runTestsOnDatabase(databaseUrl: string): Promise<Tally[]> {
  const env = {
    DATABASE_URL: databaseUrl,
    [fleetAuthorityVariable]: certificates,
    NODE_EXTRA_CA_CERTS: authorityPath,
  }
  return [
    await vitest('restarts and kills under load', ['multi-process'], { minutes: 15, env }),
    /*
     * Run one file at a time. Each file starts five processes, so running more would need more connections than PostgreSQL allows by
     * default.
     */
    await vitest('browser tests', ['browser'], { minutes: 120, workers: 1, env }),
  ]
}
