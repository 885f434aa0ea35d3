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
    says: 'list number transfers that are open or have failed, newest first; or those with a status (open, all, …)',
    options: { status: { type: 'string' }, since: { type: 'string' }, after: { type: 'string' } },
    run: (desk, { options }) => listPorts(desk, options),
  },
  {
    usage: 'ports show PORT',
    says: 'show a transfer: its status, requests and answers from the network; PORT is a reference, a number or an order',
    run: (desk, { names: [port = ''] }) => callAndShow(desk, ['GET', `/ports/${port}`], linesOf),
  },
  {
    usage: 'ports resubmit PORT',
    look: 'ports show PORT',
    says: 'request a failed transfer again with corrected details; the earlier request stays as it was',
    options: corrections,
    run: (desk, { names: [port = ''], options }) => resubmitPort(desk, port, options),
  },
  {
    usage: 'ports cancel PORT',
    look: 'ports show PORT',
    says: 'cancel a transfer that its customer has not confirmed yet; asks for confirmation, unless --yes is given',
    run: (desk, { names: [port = ''] }) => cancelPort(desk, port),
  },
]

function listPorts(desk: CommandDesk, { status, since, after }: Given['options']): Promise<number> {
  const given = Object.entries({ status, since, after }).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return callAndShow(desk, ['GET', `/ports?${query}`], ({ ports, next }: PortPage) => [
    ...(ports.length === 0 ? ['No transfers found.'] : []),
    ...ports.map(lineOf),
    ...(next ? [`More transfers: --after ${next}`] : []),
  ])
}

async function resubmitPort(desk: CommandDesk, name: string, options: Given['options']): Promise<number> {
  const { number, provider, sim, account } = options
  const json = { msisdn: number, provider, prepaid_sim_number: sim, account_number: account }
  const answer = await call(desk.caller, 'POST', `/ports/${name}/resubmit`, { json })
  if (answer.status !== 200) return refuse(desk, answer)
  const result = answer.body as ResubmitOutcome
  if (result.outcome === 'requested')
    return show(desk, result, [`Requested again: ${result.externalId}. The customer is asked by text to confirm it.`])
  const faults = result.outcome === 'invalid' ? Object.entries(result.errors) : []
  const why = faults.flatMap(([field, sentences]) => sentences.map((each) => `${optionOf(field)}${String(each)}`))
  return refuse(desk, { status: answer.status, body: { why: why.join(' ') } })
}

async function cancelPort(desk: CommandDesk, name: string): Promise<number> {
  const found = await call(desk.caller, 'GET', `/ports/${name}`)
  if (found.status !== 200) return refuse(desk, found)
  const port = found.body as PortView
  const whose = `${port.full_name} (${port.email})`
  const question = `Cancel the transfer of ${port.number} from ${port.from}, for ${whose}? Their SIM keeps ${port.service_number}.`
  if (!(await isSure(desk, question))) return exits.refused
  const answer = await call(desk.caller, 'POST', `/ports/${port.reference}/cancel`)
  if (answer.status !== 200) return refuse(desk, answer)
  const result = answer.body as CancelOutcome
  switch (result.outcome) {
    case 'cancelled':
      return show(desk, result, [`Cancelled. ${port.number} stays with ${port.from}. The customer is told by email.`])
    case 'undecided':
      show(desk, result, [
        `No answer from the network yet. The product keeps asking. To see the result: ports show ${port.reference}`,
      ])
      return exits.unknown
    case 'refused': {
      const code = result.code ? ` (${result.code})` : ''
      const why = `The network can no longer cancel the transfer, so it continues: ${result.message ?? 'no reason given.'}${code}`
      return refuse(desk, { status: answer.status, body: { why } })
    }
    case 'over':
      return refuse(desk, { status: answer.status, body: { why: `Too late: the transfer is ${result.status}.` } })
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
    `requested ${port.created}${port.ended ? `, ended ${port.ended}` : ''}`,
    ...(port.next_try ? [`next check with the network ${port.next_try}`] : []),
    ...port.events.map(({ at, event, status, sub_state: sub, code, message, actor }) =>
      [at, `${event}, ${status}${sub ? ` (${sub})` : ''}`, actor ?? '', code ?? '', message ?? '']
        .filter(Boolean)
        .join('  '),
    ),
    ...(port.requests.length > 1
      ? [
          'All transfer requests for this service:',
          ...port.requests.map((each) => `  ${lineOf(each)}  ${each.provider}, ${proofOf(each)}`),
        ]
      : []),
  ]
}
