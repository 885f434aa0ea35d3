/* @module-tag slow */
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { makeDatabase } from '#quality/support/database.ts'
import { activate, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { startWorld } from '#quality/support/world.ts'

test('after a restart, the demo still has its clock, messages, stock, ledgers and sessions', async () => {
  const dataDir = createDataFolder('fantail-home-')
  const database = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
  const home = { env: { DATA_DIR: dataDir, ...(database && { DATABASE_URL: database.url }) } }
  try {
    const first = await startWorld(home)
    const { email, orderCode } = await activate(first)
    await first.advance('P3DT5H')
    const fixtures = async (world: typeof first) => (await world.visitor().get('/demo/api/fixtures/')).body
    const before = await fixtures(first)
    const { visitor } = await advanceWizardTo(first, 'METHOD_ENTERED')
    const cookies = ['fantail', 'csrftoken'].map((name) => [name, visitor.cookie(name) ?? ''] as const)
    const mails = await first.mailTo(email)
    await first.close()

    const second = await startWorld(home)
    try {
      const after = await fixtures(second)
      const ahead = Temporal.Instant.from(after.now).since(Temporal.Instant.from(before.now)).total('seconds')
      expect(ahead).toBeGreaterThanOrEqual(0)
      expect(ahead).toBeLessThan(120)
      expect(second.deps.clock.offset()).toBeGreaterThan(3 * 86_400_000)
      expect(after).toMatchObject({ sims: before.sims, vouchers: before.vouchers })
      expect(await second.mailTo(email)).toEqual(JSON.parse(JSON.stringify(mails).replaceAll(first.url, second.url)))
      expect((await second.ledgers()).gateway.map(({ reference }) => reference)).toContain(`${orderCode}-1`)
      const returning = second.visitor()
      for (const [name, value] of cookies) returning.setCookie(name, value)
      expect(await returning.get('/api/activate/')).toMatchObject({ status: 200, body: { state: 'METHOD_ENTERED' } })
      expect((await activate(second)).done.state).toBe('SUCCESSFUL')
    } finally {
      await second.close()
    }
  } finally {
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
