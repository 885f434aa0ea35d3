import type { PortPage, PortRow, PortView } from '#app/operator/ports.present.ts'
import type { CancelOutcome } from '#features/porting/server/cancel-port.ts'
import type { ResubmitOutcome } from '#features/porting/server/resubmit-port.ts'
import { call } from '../send-request.ts'
import {
  requestAndPrint,
  type Command,
  type CommandContext,
  exitCodes,
  type CommandArguments,
  confirmWithOperator,
  printRejection,
  printResponse,
} from '../command.ts'

const correctionOptions = {
  number: { type: 'string' },
  provider: { type: 'string' },
  sim: { type: 'string' },
  account: { type: 'string' },
} as const

export const portCommands: Command[] = [
  {
    usage: 'ports list',
    summary: 'list number transfers that are open or have failed, newest first; or those with a status (open, all, …)',
    options: { status: { type: 'string' }, since: { type: 'string' }, after: { type: 'string' } },
    run: (context, { options }) => listPorts(context, options),
  },
  {
    usage: 'ports show PORT',
    summary:
      'show a transfer: its status, requests and answers from the network; PORT is a reference, a number or an order',
    run: (context, { names: [port = ''] }) => requestAndPrint(context, ['GET', `/ports/${port}`], formatPortDetails),
  },
  {
    usage: 'ports resubmit PORT',
    checkCommand: 'ports show PORT',
    summary: 'request a failed transfer again with corrected details; the earlier request stays as it was',
    options: correctionOptions,
    run: (context, { names: [port = ''], options }) => resubmitPort(context, port, options),
  },
  {
    usage: 'ports cancel PORT',
    checkCommand: 'ports show PORT',
    summary: 'cancel a transfer that its customer has not confirmed yet; asks for confirmation, unless --yes is given',
    run: (context, { names: [port = ''] }) => cancelPort(context, port),
  },
]

function listPorts(context: CommandContext, { status, since, after }: CommandArguments['options']): Promise<number> {
  const filters = Object.entries({ status, since, after }).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(filters.map(([name, value]) => [name, String(value)]))
  return requestAndPrint(context, ['GET', `/ports?${query}`], ({ ports, next }: PortPage) => [
    ...(ports.length === 0 ? ['No transfers found.'] : []),
    ...ports.map(formatPort),
    ...(next ? [`More transfers: --after ${next}`] : []),
  ])
}

async function resubmitPort(
  context: CommandContext,
  name: string,
  options: CommandArguments['options'],
): Promise<number> {
  const { number, provider, sim, account } = options
  const json = { msisdn: number, provider, prepaid_sim_number: sim, account_number: account }
  const answer = await call(context.caller, 'POST', `/ports/${name}/resubmit`, { json })
  if (answer.status !== 200) return printRejection(context, answer)
  const result = answer.body as ResubmitOutcome
  if (result.outcome === 'requested')
    return printResponse(context, result, [
      `Requested again: ${result.externalId}. The customer will get a text asking them to confirm it.`,
    ])
  const faults = result.outcome === 'invalid' ? Object.entries(result.errors) : []
  const why = faults.flatMap(([field, sentences]) =>
    sentences.map((each) => `${getOptionPrefix(field)}${String(each)}`),
  )
  return printRejection(context, { status: answer.status, body: { why: why.join(' ') } })
}

async function cancelPort(context: CommandContext, name: string): Promise<number> {
  const found = await call(context.caller, 'GET', `/ports/${name}`)
  if (found.status !== 200) return printRejection(context, found)
  const port = found.body as PortView
  const customerLabel = `${port.full_name} (${port.email})`
  const question = `Cancel the transfer of ${port.number} from ${port.from}, for ${customerLabel}? Their SIM keeps ${port.service_number}.`
  if (!(await confirmWithOperator(context, question))) return exitCodes.refused
  const answer = await call(context.caller, 'POST', `/ports/${port.reference}/cancel`)
  if (answer.status !== 200) return printRejection(context, answer)
  const result = answer.body as CancelOutcome
  switch (result.outcome) {
    case 'cancelled':
      return printResponse(context, result, [
        `Cancelled. ${port.number} stays with ${port.from}. The customer is told by email.`,
      ])
    case 'undecided':
      printResponse(context, result, [
        `The network hasn’t answered yet. Fantail keeps asking. To see the result: ports show ${port.reference}`,
      ])
      return exitCodes.unknown
    case 'refused': {
      const code = result.code ? ` (${result.code})` : ''
      const why = `The network can no longer cancel the transfer, so it continues: ${result.message ?? 'no reason given.'}${code}`
      return printRejection(context, { status: answer.status, body: { why } })
    }
    case 'over':
      return printRejection(context, {
        status: answer.status,
        body: { why: `Too late: the transfer is ${result.status}.` },
      })
    case 'impossible':
      return printRejection(context, { status: answer.status, body: result })
  }
}

function getOptionPrefix(field: string): string {
  const options: Record<string, string> = {
    msisdn: '--number: ',
    provider: '--provider: ',
    prepaid_sim_number: '--sim: ',
    account_number: '--account: ',
  }
  return options[field] ?? ''
}

const formatPort = ({ reference, created, number, from, ...port }: PortRow): string =>
  `${reference}  ${created}  ${number} from ${from}  ${formatStatus(port)}`

function formatStatus({ status, sub_state, failure_code, reason_text }: PortStatus): string {
  const network = sub_state ? ` (${sub_state})` : ''
  return [`${status}${network}`, failure_code ?? '', reason_text].filter(Boolean).join('  ')
}
type PortStatus = Pick<PortRow, 'status' | 'sub_state' | 'failure_code' | 'reason_text'>

type Proof = Pick<PortView, 'billing_method' | 'prepaid_sim_number' | 'account_number'>
const formatDonorProof = ({
  billing_method: method,
  prepaid_sim_number: sim,
  account_number: account,
}: Proof): string => (method === 'prepay' ? `prepay, SIM ${sim}` : `on account ${account}`)

function formatPortDetails(port: PortView): string[] {
  return [
    `${port.reference}  ${formatStatus(port)}`,
    `${port.number} from ${port.from}, ${formatDonorProof(port)}`,
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
          ...port.requests.map((each) => `  ${formatPort(each)}  ${each.provider}, ${formatDonorProof(each)}`),
        ]
      : []),
  ]
}
