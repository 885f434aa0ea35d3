import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { aTool } from '#quality/support/operator.ts'
import { readInvitations } from '#quality/support/staff-member.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { exitCodes } from './command.ts'

const dataDir = createDataFolder('fantail-remote-')
const [certFile, keyFile] = ['crt', 'key'].map((kind) => join(import.meta.dirname, `../quality/tls/localhost.${kind}`))
const world = useWorld({
  env: {
    DATA_DIR: dataDir,
    DESK_PORT: '0',
    OPERATOR_PORT: '0',
    OPERATOR_TLS_CERT: certFile ?? '',
    OPERATOR_TLS_KEY: keyFile ?? '',
  },
})
const { run } = aTool(dataDir)
const ca = readFileSync(certFile ?? '', 'utf8')
const soon = Temporal.Now.plainDateISO('Pacific/Auckland').add({ days: 30 })

const from = (token: string, trust: string | null = ca) =>
  aTool('/nowhere', { url: `https://localhost:${world().operatorPort}`, token, ...(trust && { ca: trust }) })

async function newToken(name: string, scope: 'read' | 'act' = 'act'): Promise<string> {
  const { exit, said } = await run(`tokens make ${name} --scope ${scope} --expires ${soon}`)
  expect([exit, said.length]).toEqual([exitCodes.done, 1])
  return said[0] ?? ''
}

describe('operator access tokens', () => {
  test('an operator token gives access from a different host, and its use is recorded under its owner’s name', async () => {
    const token = await newToken('Mere')
    expect(token).toMatch(/^[\w-]{43}$/)
    const far = from(token)
    expect((await far.run('tasks list')).said).toEqual(['No open tasks.'])
    const { said } = await far.run('catalogue apply --as Hine')
    expect(said.at(-1)).toMatch(/is on sale now/)
    expect((await run('catalogue versions')).said[0]).toContain('by operator:Mere')
    expect((await run('tokens list')).said).toEqual([expect.stringMatching(/^Mere {2}act {2}until .+ {2}used 20/)])
  })

  test('the database table of operator tokens does not contain the tokens themselves', async () => {
    const token = await newToken('Jo')
    const rows = await world().db.selectFrom('operator_tokens').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('a read-only token can list tasks, but cannot apply a catalogue', async () => {
    const far = from(await newToken('Aroha', 'read'))
    expect((await far.run('tasks list')).exit).toBe(exitCodes.done)
    expect(await far.run('catalogue apply')).toMatchObject({
      exit: exitCodes.refused,
      complaints: ['This token is read-only.'],
    })
  })

  test('an operator token cannot be used to list, make or revoke tokens', async () => {
    const far = from(await newToken('Tama'))
    for (const command of ['tokens list', `tokens make Me --scope act --expires ${soon}`, 'tokens revoke Mere'])
      expect(await far.run(command)).toMatchObject({
        exit: exitCodes.refused,
        complaints: ['This version of Fantail doesn’t support this command.'],
      })
  })

  test('staff cannot be invited with a token, but only with the command on the server, which emails the link', async () => {
    const far = from(await newToken('Wiki'))
    const email = newEmail()
    const add = `staff add ${email} --name Tui --role support`
    expect(await far.run(add)).toMatchObject({
      exit: exitCodes.refused,
      complaints: ['Run this on the server itself. A token can’t invite people to the desk.'],
    })
    expect(await run(add)).toMatchObject({
      exit: exitCodes.done,
      said: [`The invitation is on its way to ${email}. Its link works once, within 24 hours.`],
    })
    await pollUntil(async () => (await readInvitations(world(), email)).length === 1)
  })

  test.each(['tui@localhost', 'tui..hall@example.nz', 'tui@10.0.0.1'])(
    'staff cannot be invited at %s, because no mail can reach that address',
    async (email) =>
      expect(await run(`staff add ${email} --name Tui --role support`)).toMatchObject({
        exit: exitCodes.refused,
        complaints: [expect.stringMatching(/^Give an email address/)],
      }),
  )

  test('an operator token stops working when it is revoked, expires or is replaced', async () => {
    const [first, second] = [await newToken('Pita'), await newToken('pita')]
    const no = { exit: exitCodes.refused, complaints: ['This token is unknown, expired or revoked.'] }
    expect(await from(first).run('errors')).toMatchObject(no)
    expect((await from(second).run('errors')).exit).toBe(exitCodes.done)
    expect((await run('tokens revoke PITA')).said).toEqual(['Revoked. The token no longer works.'])
    expect(await from(second).run('errors')).toMatchObject(no)
    expect((await run('tokens revoke Pita')).exit).toBe(exitCodes.refused)
    const third = await newToken('Pita')
    await world()
      .db.updateTable('operator_tokens')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('name', '=', 'Pita')
      .execute()
    expect(await from(third).run('errors')).toMatchObject(no)
  })

  test.each([
    'tokens make Mere',
    `tokens make Mere --scope all --expires ${soon}`,
    'tokens make Mere --scope act --expires never',
    'tokens make Mere --scope act --expires 2020-01-01',
    'tokens make Mere --scope act --expires 2099-01-01',
  ])('the command "%s" makes no operator token', async (line) => expect((await run(line)).exit).toBe(exitCodes.refused))
})

describe('remote operator access without a valid token', () => {
  test('attempts with invalid operator tokens are rejected and rate-limited, while valid tokens still work', async () => {
    const good = await newToken('Hine')
    const answers = []
    for (let tries = 0; tries < 22; tries++) answers.push((await from('x'.repeat(43)).run('errors')).complaints[0])
    expect(answers[0]).toMatch(/^This token is unknown/)
    expect(answers.at(-1)).toBe('Too many attempts. Wait an hour.')
    expect((await from(good).run('errors')).exit).toBe(exitCodes.done)
  })

  test('a remote command over plain HTTP gets no response, and an untrusted certificate is reported', async () => {
    const answered = new Promise<string>((resolve) => {
      request({ host: '127.0.0.1', port: world().operatorPort ?? 0, path: '/tasks' }, () => resolve('answered'))
        .on('error', () => resolve('broken off'))
        .end()
    })
    expect(await answered).toBe('broken off')
    expect(await from('x', null).run('errors')).toMatchObject({
      exit: exitCodes.notRunning,
      complaints: [expect.stringMatching(/^Cannot connect to Fantail at https:\/\/localhost:\d+ \(\w+\)\./)],
    })
  })
})
