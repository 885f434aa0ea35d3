import type { NetworkSimulator } from '#simulators/network/simulator.ts'
import { simPack } from '#demo/stock.ts'
import { runOperatorCommand } from './operator-commands.ts'
import type { FaultProcess } from './injector.ts'

export type SimBehaviour = 'ok' | 'fails_once' | 'fails_always' | 'slow'

export type Shelf = {
  sim(behaviour: SimBehaviour): { msisdn: string; sim_serial: string; iccid: string }
  voucher(): string
}

const voucherPlanId = 'plan-30-5gb'

/** The position of the first SIM pack, far above those of the demo's own packs. */
const firstPackPosition = 10_000

export async function stock(
  process: Pick<FaultProcess, 'dataDir'>,
  network: NetworkSimulator,
  orders: number,
): Promise<Shelf> {
  const chooseBehaviour = (nth: number): SimBehaviour =>
    (['fails_once', 'slow', 'fails_always'] as const)[nth % 12] ?? 'ok'
  const packs = Array.from({ length: orders + 120 }, (_, nth) => ({
    ...simPack(firstPackPosition + nth, { code: 'NZ' }),
    behaviour: chooseBehaviour(nth),
  }))
  network.seed({ sims: packs })
  const csv = ['iccid,msisdn', ...packs.map(({ iccid, msisdn }) => `${iccid},${msisdn}`)].join('\n')
  const importResult = await runOperatorCommand(process, ['sims', 'import', '-'], `${csv}\n`)
  if (importResult.exit !== 0) throw new Error(`the SIM packs were not loaded: ${importResult.complaints.join(' ')}`)
  const voucherCount = String(Math.ceil(orders / 2) + 20)
  const made = await runOperatorCommand(process, [
    'vouchers',
    'make',
    voucherCount,
    '--plan',
    voucherPlanId,
    '--expires',
    '2031-12-31',
  ])
  if (made.exit !== 0) throw new Error(`the vouchers were not made: ${made.complaints.join(' ')}`)
  const codes = `${made.written}${made.said.join('\n')}`.split('\n').filter((line) => /^[A-Z0-9]{12}$/.test(line))
  return {
    sim(behaviour: SimBehaviour) {
      const at = packs.findIndex((pack) => pack.behaviour === behaviour)
      const [pack] = at < 0 ? [] : packs.splice(at, 1)
      if (!pack) throw new Error(`no more SIM packs of ${behaviour}`)
      return { msisdn: pack.msisdn, sim_serial: pack.iccid.slice(-4), iccid: pack.iccid }
    },
    voucher() {
      const code = codes.pop()
      if (!code) throw new Error('no more vouchers')
      return code
    },
  }
}
