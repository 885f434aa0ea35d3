/* @module-tag slow */
import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { exitCodes } from '#operator/command.ts'
import { createCustomerWithAllData } from '#quality/support/customer-with-all-data.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { runCommandForJson, runCommand } from '#quality/support/operator.ts'
import { useWorld } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-export-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })

const namesIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [...(Array.isArray(value) ? [] : [name]), ...namesIn(inner)])
    : []

test('the command “customers export” includes a customer’s details, orders, documents, messages and events, but no secrets', async () => {
  const { id, email, ported, second, fullName } = await createCustomerWithAllData(world())
  const all = await runCommandForJson(dataDir, ['customers', 'export', id, '--as', 'Hine'])
  expect(all).toMatchObject({
    person: { id, email, contact_phone: ported },
    saved_card: { last_four: '1111', holder_name: fullName },
    numbers: [{ msisdn: ported }, { msisdn: second.msisdn, next_plan: expect.any(String) }],
    transfers: [{ msisdn: ported, status: 'COMPLETED' }],
    refunds: [],
  })
  expect(all.orders).toHaveLength(3)
  expect(all.orders[2].payments).toMatchObject([
    { state: 'captured', card: { last_four: '1111', holder_name: fullName } },
  ])
  expect(all.documents).toHaveLength(3)
  expect(all.messages.map(({ kind }: { kind: string }) => kind)).toEqual(
    expect.arrayContaining(['activation', 'renewal', 'port', 'card-saved', 'auto-renewal']),
  )
  expect(all.acts.at(-1)).toMatchObject({ event: 'customer_exported', actor: 'operator:Hine' })
  expect(
    new Set(namesIn(all).filter((name) => /hash|token|secret|sealed|password|key|stored|^lease|session_id/.test(name))),
  ).toEqual(new Set())
  expect(JSON.stringify(all)).not.toMatch(/\$argon2/)

  const { said } = await runCommand(dataDir, ['customers', 'export', id])
  expect(JSON.parse(said.join('\n')).person).toEqual(all.person)
})

test('the command “customers export” escapes control characters in a name, so that they do not reach the terminal', async () => {
  const { id } = await createCustomerWithAllData(world())
  const name = 'A\u001B[2J\u202E\u{E0001}\u009B'
  await world().db.updateTable('users').set({ first_name: name }).where('id', '=', id).execute()
  for (const form of [[], ['--json']]) {
    const { said } = await runCommand(dataDir, ['customers', 'export', id, ...form])
    expect(said.join('')).not.toMatch(/\p{Cc}|\p{Cf}/u)
    expect(JSON.parse(said.join('\n')).person.first_name).toBe(name)
  }
  expect((await runCommand(dataDir, ['customers', 'export', crypto.randomUUID()])).exit).toBe(exitCodes.refused)
})
