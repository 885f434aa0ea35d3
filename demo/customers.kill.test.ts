import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clockToleranceMs } from '#kit/server/database-clock.ts'
import { openDatabase } from '#kit/server/db.ts'
import { reconcile } from '#quality/support/reconciliation.ts'
import { makeDatabase } from '#quality/support/database.ts'
import { findFreePort } from '#kit/server/free-port.ts'
import { createProductProcess } from '#quality/support/product-process.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newVisitor } from '#quality/support/visitor.ts'
import type { Ledgers } from '#quality/support/ledgers.ts'

test(
  'every demo customer is created exactly once even if the first start is killed repeatedly',
  { timeout: 240_000 },
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'fantail-first-start-'))
    const own = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
    const product = createProductProcess({
      PORT: String(await findFreePort()),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      LEASE_SECONDS: '1',
      // A prepared template is only used with the default settings, so with a changed setting, the demo creates its customers' past itself.
      DEMO_STEP_MS: '25',
      DEMO_CUSTOMERS: 'all',
      ...(own && { DATABASE_URL: own.url }),
    })
    try {
      const moments = [
        /update "clock"/,
        /insert into "services"/,
        /update "users" set "email_verified_at"/,
        /insert into "messages" .*"plan-life:/,
        /insert into "porting_requests"/,
        /insert into "demo_customers" .* failed number transfer/,
      ]
      /*
       * On PostgreSQL, each restart has to wait for the killed process's lease to run out, so this test kills the process at only half of
       * these moments.
       */
      for (const statement of own ? moments.filter((_, at) => at % 2 === 1) : moments) {
        await product.killBeforeStatement(statement)
        const death = product.death()
        await product.start()
        await death
      }
      await product.start()
      const visitor = newVisitor(product.url)
      const before = Date.now()
      const { customers, now } = (await visitor.get('/demo/api/fixtures/')).body
      expect(customers).toHaveLength(6)
      expect(Date.parse(now)).toBeGreaterThanOrEqual(before - clockToleranceMs)
      expect(Date.parse(now)).toBeLessThanOrEqual(Date.now() + clockToleranceMs)
      const ledgers: Ledgers = await pollUntil(async () => {
        const found: Ledgers = (await visitor.get('/demo/api/ledgers/')).body
        return found.gateway.filter(({ captured }) => captured > 0).length === 8 && found
      })
      await product.stop()
      const books = await openDatabase(own ? { url: own.url } : { folder: dataDir })
      try {
        expect(await books.db.selectFrom('services').select('id').execute()).toHaveLength(8)
        expect(await books.db.selectFrom('users').select('id').execute()).toHaveLength(6)
        expect(await reconcile(books.db, ledgers)).toEqual([])
      } finally {
        await books.close()
      }
      expect(product.complaints()).toEqual([])
    } finally {
      await product.kill()
      await own?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
)
