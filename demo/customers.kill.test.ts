import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#kit/server/db.ts'
import { faultsInBooks } from '#testing/books.ts'
import { makeDatabase } from '#testing/database.ts'
import { freePort } from '#testing/free-port.ts'
import { productProcess } from '#testing/product-process.ts'
import { until } from '#testing/until.ts'
import { newVisitor } from '#testing/visitor.ts'
import type { Ledgers } from '#testing/world.ts'

test('a first start that is killed again and again ends with every customer there, once', { timeout: 120_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fantail-first-start-'))
  const own = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
  const product = productProcess({ PORT: String(await freePort()), DATA_DIR: dataDir, LOG_LEVEL: 'error', LEASE_SECONDS: '1', DEMO_CUSTOMERS: 'all', ...(own && { DATABASE_URL: own.url }) })
  try {
    // On the way to the bank, with the SIM active, at the link, and when all that is missing is the note of it.
    for (const statement of [/insert into "payment_attempts"/, /insert into "services"/, /update "users" set "email_verified_at"/, /insert into "demo_customers"/]) {
      await product.dieBefore(statement)
      const death = product.death()
      await product.start()
      await death
    }
    await product.start()
    const visitor = newVisitor(product.url)
    const { customers } = (await visitor.get('/demo/api/fixtures/')).body
    expect(customers).toHaveLength(3)
    const ledgers: Ledgers = await until(async () => {
      const found: Ledgers = (await visitor.get('/demo/api/ledgers/')).body
      return found.gateway.filter(({ captured }) => captured > 0).length === 4 && found
    })
    await product.stop()
    const books = await openDatabase(own ? { url: own.url } : { folder: dataDir })
    try {
      expect(await books.db.selectFrom('services').select('id').execute()).toHaveLength(4)
      expect(await books.db.selectFrom('users').select('id').execute()).toHaveLength(3)
      expect(await faultsInBooks(books.db, ledgers)).toEqual([])
    } finally {
      await books.close()
    }
    expect(product.complaints()).toEqual([])
  } finally {
    await product.kill()
    await own?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
