import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { operatorAddress } from '#app/operator/operator-address.ts'
import { aTool } from '#quality/support/operator.ts'
import { exitCodes } from './command.ts'
import { commands } from './commands.ts'

const homes: { home: string; server: Server }[] = []
afterEach(() => {
  for (const { home, server } of homes.splice(0)) {
    server.closeAllConnections()
    server.close()
    rmSync(home, { recursive: true, force: true })
  }
})

type Death = (response: ServerResponse, method: string) => void

async function aDyingProduct(die: Death) {
  const home = mkdtempSync(join(tmpdir(), 'fantail-dying-'))
  const server = createServer((request, response) => {
    request.resume()
    die(response, request.method ?? '')
  })
  homes.push({ home, server })
  await new Promise<void>((resolve) => server.listen(operatorAddress(home), resolve))
  return { home, ...aTool(home) }
}

const atOnce: Death = (response) => response.socket?.destroy()
const inMidAnswer: Death = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"refund": ', () => response.socket?.destroy())
}
const inMidLine: Death = (response) => {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  response.write('{"checked": 10}\n{"chec', () => response.socket?.destroy())
}
const orderThen =
  (die: Death): Death =>
  (response, method) =>
    method === 'GET'
      ? response.end(
          JSON.stringify({
            order_code: 'FT1',
            refundable: '22.00',
            cancel_why: null,
            undone_by_cancel: [],
            refunds: [],
          }),
        )
      : die(response, method)

describe.each([
  ['before answering', atOnce],
  ['in the middle of an answer', inMidAnswer],
])('operator commands to a product that dies %s', (_, die) => {
  test.each([
    ['orders retry FT1', 'orders show FT1'],
    ['tasks done 7', 'tasks list'],
    ['ports cancel P1 --yes', null],
    ['ports resubmit P1', 'ports show P1'],
    ['customers block c1', 'customers show c1'],
    ['vouchers void B1', 'vouchers status B1'],
    ['catalogue call-off 3', 'catalogue versions'],
    ['reconcile', 'reconcile'],
    ['orders show FT1', null],
    ['tasks list', null],
    ['errors', null],
  ])(
    'if the application dies, the command "%s" exits with status “unknown” and says what to do next',
    async (line, look) => {
      const { run } = await aDyingProduct(die)
      const { exit, complaints } = await run(line)
      expect(exit).toBe(exitCodes.unknown)
      expect(complaints).toEqual([
        expect.stringContaining('The connection to Fantail was lost before it responded: '),
        look
          ? `It is not known whether the command took effect. To check: operator ${look}`
          : 'Nothing was changed. Please try again.',
      ])
    },
  )

  test.each(['refund', 'cancel'])(
    'a confirmed "orders %s" exits with status “unknown” when the application dies, and names the order to check',
    async (what) => {
      const { run } = await aDyingProduct(orderThen(die))
      const { exit, complaints } = await run(`orders ${what} FT1`, { says: true })
      expect([exit, complaints.at(-1)]).toEqual([
        exitCodes.unknown,
        'It is not known whether the command took effect. To check: operator orders show FT1',
      ])
    },
  )

  test('the “vouchers make” command fails if not all codes arrive, and says that none of the codes will be valid', async () => {
    const { run } = await aDyingProduct(die)
    const { exit, complaints } = await run('vouchers make 3 --plan plan-30-5gb --expires 2027-12-31')
    expect(exit).toBe(exitCodes.refused)
    expect(complaints.at(-1)).toBe('Not all codes arrived, so none of them will be valid. Please make another batch.')
  })

  test('if a “sims import” command is interrupted, the operator is asked to import the file again', async () => {
    const { run, home } = await aDyingProduct(die)
    const file = join(home, 'packs.csv')
    writeFileSync(file, `iccid,msisdn\n${'8964000000000000000,+64210000000\n'.repeat(50_000)}`)
    const { exit, complaints } = await run(`sims import ${file}`)
    expect(exit).toBe(exitCodes.unknown)
    expect(complaints.at(-1)).toBe('It is not known how much of the file was received. Please import it again.')
  })
})

test('if a response ends in the middle of a line, the command’s outcome is reported as unknown', async () => {
  const { run } = await aDyingProduct(inMidLine)
  const { exit, complaints } = await run('reconcile')
  expect(exit).toBe(exitCodes.unknown)
  expect(complaints.at(-1)).toBe('It is not known whether the command took effect. To check: operator reconcile')
})

test('if the application is not running, operator commands exit with the status “not running”', async () => {
  const home = mkdtempSync(join(tmpdir(), 'fantail-dying-'))
  expect((await aTool(home).run('tasks done 7')).exit).toBe(exitCodes.notRunning)
  rmSync(home, { recursive: true })
})

test('every command that the operator tool suggests for checking an outcome exists', () => {
  const looks = commands.flatMap(({ checkCommand: look }) => (look ? [look.replace(' --all', '')] : []))
  expect(commands.map(({ usage }) => usage)).toEqual(expect.arrayContaining(looks))
})
