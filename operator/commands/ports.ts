import type { PortPage, PortRow, PortView } from '#app/operator/ports.present.ts'
import type { CancelOutcome } from '#features/porting/server/cancel-port.ts'
import type { ResubmitOutcome } from '#features/porting/server/resubmit-port.ts'
import { call } from '../call.ts'
import { callAndShow, type Command, type CommandDesk, exits, type Given, isSure, refuse, show } from '../command.ts'

const corrections = {
  number: { type: 'string' },
  provider: { type: 'string' },
  sim: { type: 'string' },
  account: { type: 'string' },
} as const

export const portCommands: Command[] = [
  {
    usage: 'ports list',
    says: 'number transfers that are open or have failed, newest first; or those of a status (open, all, …)',
    options: { status: { type: 'string' }, since: { type: 'string' }, after: { type: 'string' } },
    run: (desk, { options }) => listPorts(desk, options),
  },
  {
    usage: 'ports show PORT',
    says: 'how a transfer stands, what was asked and what the network said; PORT is a reference, a number or an order',
    run: (desk, { names: [port = ''] }) => callAndShow(desk, ['GET', `/ports/${port}`], linesOf),
  },
  {
    usage: 'ports resubmit PORT',
    look: 'ports show PORT',
    says: 'ask again for one that failed, with what is put right in it; the one before stays as it was',
    options: corrections,
    run: (desk, { names: [port = ''], options }) => resubmitPort(desk, port, options),
  },
  {
    usage: 'ports cancel PORT',
    look: 'ports show PORT',
    says: 'call one off, until its customer has confirmed it; asks first, unless told --yes',
    run: (desk, { names: [port = ''] }) => cancelPort(desk, port),
  },
]

function listPorts(desk: CommandDesk, { status, since, after }: Given['options']): Promise<number> {
  const given = Object.entries({ status, since, after }).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return callAndShow(desk, ['GET', `/ports?${query}`], ({ ports, next }: PortPage) => [
    ...(ports.length === 0 ? ['There is no such transfer.'] : []),
    ...ports.map(lineOf),
    ...(next ? [`There are more: --after ${next}`] : []),
  ])
}

async function resubmitPort(desk: CommandDesk, name: string, options: Given['options']): Promise<number> {
  const { number, provider, sim, account } = options
  const json = { msisdn: number, provider, prepaid_sim_number: sim, account_number: account }
  const answer = await call(desk.caller, 'POST', `/ports/${name}/resubmit`, { json })
  if (answer.status !== 200) return refuse(desk, answer)
  const result = answer.body as ResubmitOutcome
  if (result.outcome === 'requested')
    return show(desk, result, [`Asked for again: ${result.externalId}. Its customer is asked to confirm it by a text.`])
  const faults = result.outcome === 'invalid' ? Object.entries(result.errors) : []
  const why = faults.flatMap(([field, sentences]) => sentences.map((each) => `${optionOf(field)}${String(each)}`))
  return refuse(desk, { status: answer.status, body: { why: why.join(' ') } })
}

async function cancelPort(desk: CommandDesk, name: string): Promise<number> {
  const found = await call(desk.caller, 'GET', `/ports/${name}`)
  if (found.status !== 200) return refuse(desk, found)
  const port = found.body as PortView
  const whose = `${port.full_name} (${port.email})`
  const question = `Call off the transfer of ${port.number} from ${port.from}, for ${whose}? Their SIM keeps ${port.service_number}.`
  if (!(await isSure(desk, question))) return exits.refused
  const answer = await call(desk.caller, 'POST', `/ports/${port.reference}/cancel`)
  if (answer.status !== 200) return refuse(desk, answer)
  const result = answer.body as CancelOutcome
  switch (result.outcome) {
    case 'cancelled':
      return show(desk, result, [`Called off: ${port.number} stays with ${port.from}. The customer is told by mail.`])
    case 'undecided':
      show(desk, result, [`The network has not said yet. The product asks on by itself: ports show ${port.reference}`])
      return exits.unknown
    case 'refused': {
      const code = result.code ? ` (${result.code})` : ''
      const why = `The network will not call it off any more, and it goes on: ${result.message ?? 'it said no.'}${code}`
      return refuse(desk, { status: answer.status, body: { why } })
    }
    case 'over':
      return refuse(desk, { status: answer.status, body: { why: `It was too late: it is ${result.status}.` } })
    case 'impossible':
      return refuse(desk, { status: answer.status, body: result })
  }
}

function optionOf(field: string): string {
  const options: Record<string, string> = {
    msisdn: '--number: ',
    provider: '--provider: ',
    prepaid_sim_number: '--sim: ',
    account_number: '--account: ',
  }
  return options[field] ?? ''
}

const lineOf = ({ reference, created, number, from, ...port }: PortRow): string =>
  `${reference}  ${created}  ${number} from ${from}  ${standing(port)}`

function standing({ status, sub_state, failure_code, reason_text }: Standing): string {
  const network = sub_state ? ` (${sub_state})` : ''
  return [`${status}${network}`, failure_code ?? '', reason_text].filter(Boolean).join('  ')
}
type Standing = Pick<PortRow, 'status' | 'sub_state' | 'failure_code' | 'reason_text'>

type Proof = Pick<PortView, 'billing_method' | 'prepaid_sim_number' | 'account_number'>
const proofOf = ({ billing_method: method, prepaid_sim_number: sim, account_number: account }: Proof): string =>
  method === 'prepay' ? `prepay, SIM ${sim}` : `on account ${account}`

function linesOf(port: PortView): string[] {
  return [
    `${port.reference}  ${standing(port)}`,
    `${port.number} from ${port.from}, ${proofOf(port)}`,
    `to ${port.service_number} of ${port.full_name} (${port.email})${port.order_code ? `, with order ${port.order_code}` : ''}`,
    `asked for ${port.created}${port.ended ? `, ended ${port.ended}` : ''}`,
    ...(port.next_try ? [`the network is asked next ${port.next_try}`] : []),
    ...port.events.map(({ at, event, status, sub_state: sub, code, message, actor }) =>
      [at, `${event}, ${status}${sub ? ` (${sub})` : ''}`, actor ?? '', code ?? '', message ?? '']
        .filter(Boolean)
        .join('  '),
    ),
    ...(port.requests.length > 1
      ? [
          'All requests of this service:',
          ...port.requests.map((each) => `  ${lineOf(each)}  ${each.provider}, ${proofOf(each)}`),
        ]
      : []),
  ]
}
