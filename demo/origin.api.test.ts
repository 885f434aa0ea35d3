import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { updateMessageLinks } from './origin.ts'

const world = useWorld()

test('links in the demo mailbox use the current origin, even if the demo was on a different port before', async () => {
  const { email, visitor } = await makeCustomer(world(), { verified: false })
  await visitor.get('/api/account/resend_verification/', { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' })
  const links = async () => (await world().mailTo(email)).flatMap((mail) => mail.links)
  const before = await pollUntil(async () => {
    const all = await links()
    return all.length > 0 && all
  })
  expect(before.some((link) => link.startsWith(`${world().url}/verify/`))).toBe(true)
  const dataDir = join(mkdtempSync(join(tmpdir(), 'fantail-origin-')), 'data')
  await updateMessageLinks(world().db, { dataDir, to: world().url })
  expect(await links()).toEqual(before)
  await updateMessageLinks(world().db, { dataDir, to: 'http://localhost:4999' })
  expect(await links()).toEqual(before.map((link) => link.replace(world().url, 'http://localhost:4999')))
  expect(readFileSync(join(dataDir, 'origin'), 'utf8')).toBe('http://localhost:4999')
  rmSync(join(dataDir, '..'), { recursive: true })
})
