import { formatNational } from '#kit/contract/phone.ts'
import type { Donor } from '#features/porting/porting.contract.ts'
import { isTransferOver } from '#features/porting/porting.states.ts'
import { findPendingAction } from '#features/porting/server/port-action.ts'
import type { ListedPort } from '#features/porting/server/port-list.store.ts'
import { findProcessingStart } from '#features/porting/server/porting-hours.ts'
import type { PortMilestone } from '#features/porting/server/porting-milestones.store.ts'
import type { PortDetails } from '#features/porting/server/port-details.ts'
import { presentActor, presentName } from '#desk/features/customers/server/customers.present.ts'
import { maskNumbers } from '#desk/features/orders/server/order.labels.ts'
import {
  portRequestFields,
  type DeskPort,
  type DonorStatistics,
  type PortRequestData,
  type PortRequest,
  type PortContact,
  type PortRow,
} from '../ports.contract.ts'
import { carrierTicketText } from './carrier-ticket-text.present.ts'
import {
  maskedFailureCode,
  declineAdvice,
  outcomeLabel,
  eventLabels,
  type PortRules,
  getPortStatus,
  toIsoString,
} from './port.labels.ts'
import type { PortOwner } from './port-owners.store.ts'
import type { ListedPortRow } from './ports.view.ts'
import { presentStages } from './stages.present.ts'

const formatNumber = (msisdn: string): string => (msisdn ? formatNational(msisdn) : 'Forgotten')

/**
 * Returns how many seconds the transfer took. If `waits` is true, the time of a failed transfer runs until now, because it is waiting for
 * staff to act.
 */
const computeDurationSeconds = (port: ListedPort, now: Temporal.Instant, waits = false): number => {
  const end = !waits && port.ended_at ? port.ended_at.getTime() : now.epochMilliseconds
  return Math.max(0, Math.round((end - port.created_at.getTime()) / 1_000))
}

type PortContext = { now: Temporal.Instant; milestones: readonly PortMilestone[] }

/**
 * Returns a number transfer as a row in a work list. The customer's name is not masked, because handling the transfer
 * is reason enough for staff to see it.
 */
export function presentPortRow(
  rules: PortRules,
  row: ListedPortRow,
  { waits, staffId, ...known }: PortContext & { waits: boolean; staffId: string },
): PortRow {
  const { first_name, last_name, user_erased_at: erased } = row
  return {
    reference: row.external_id,
    number: formatNumber(row.msisdn),
    from: row.donor_name,
    name: erased ? 'Erased customer' : `${first_name} ${last_name}`.trim(),
    standing: getPortStatus(rules, row, known),
    created: row.created_at.toISOString(),
    seconds: computeDurationSeconds(row, known.now, waits),
    owner: row.owner_id && row.owner !== null ? presentOwner({ id: row.owner_id, name: row.owner }, staffId) : null,
    act: findPendingAction(rules, row, known)?.act ?? null,
  }
}

const presentOwner = ({ id, name }: PortOwner, staffId: string) => ({ name, is_own: id === staffId })

type PortPageData = {
  now: Temporal.Instant
  orderCode: string | null
  donors: Donor[]
  staffId: string
  owner: PortOwner | null
  donor: DonorStatistics
  contact: PortContact | null
  correctWhy: string | null
  cancelWhy: string | null
}

/** Returns a number transfer with all its requests, unmasked, because whoever corrects a request has to see its data. */
export function presentPort(rules: PortRules, whole: PortDetails, pageData: PortPageData): DeskPort {
  const { port, service, user, requests, events, milestones } = whole
  const { now } = pageData
  const [latest] = requests
  return {
    now: now.toString({ fractionalSecondDigits: 3 }),
    reference: port.external_id,
    number: formatNumber(port.msisdn),
    from: port.donor_name,
    standing: getPortStatus(rules, port, { milestones, now }),
    created: port.created_at.toISOString(),
    ended: port.ended_at?.toISOString() ?? null,
    seconds: computeDurationSeconds(port, now),
    next_try: isTransferOver(port.status) ? null : (port.retry_at?.toISOString() ?? null),
    customer: {
      id: user?.id ?? null,
      name: user ? presentName(user) : '',
      number: service ? formatNational(service.msisdn) : '',
    },
    order_code: pageData.orderCode,
    stages: presentStages(rules, whole),
    decline: declineAdvice(rules, port),
    requests: presentRequests(rules, requests),
    events: events.map((event) => presentEvent(event)),
    answers: getRequestData(port),
    donors: pageData.donors.map(({ id, name }) => ({ id, name })),
    looked_at_from: toIsoString(findProcessingStart(now, rules.market)),
    owner: pageData.owner && presentOwner(pageData.owner, pageData.staffId),
    donor: pageData.donor,
    contact: pageData.contact,
    later: latest && latest.id !== port.id ? latest.external_id : null,
    correct_why: pageData.correctWhy,
    cancel_why: pageData.cancelWhy,
    for_carrier: carrierTicketText(whole),
  }
}

const getRequestData = (port: ListedPort): PortRequestData => ({
  msisdn: port.msisdn && formatNational(port.msisdn),
  provider: port.provider_id,
  billing_method: port.billing_method,
  prepaid_sim_number: port.prepaid_sim_number ?? '',
  account_number: port.account_number ?? '',
})

function presentRequests(rules: PortRules, newestFirst: readonly ListedPort[]): PortRequest[] {
  const requestsOldestFirst = newestFirst.toReversed()
  return requestsOldestFirst.map((port, index) => {
    const [answers, before] = [getRequestData(port), requestsOldestFirst[index - 1]]
    const previousRequestData = before && getRequestData(before)
    const { words, tone } = isTransferOver(port.status)
      ? outcomeLabel(rules, port)
      : { words: 'In progress', tone: 'plain' as const }
    return {
      reference: port.external_id,
      created: port.created_at.toISOString(),
      words,
      tone,
      code: maskedFailureCode(port),
      from: port.donor_name,
      answers,
      changed: previousRequestData
        ? portRequestFields.filter((field) => answers[field] !== previousRequestData[field])
        : [],
    }
  })
}

function presentEvent({
  at,
  event,
  sub_state,
  code,
  message,
  actor,
}: PortDetails['events'][number]): DeskPort['events'][number] {
  const { words, tone } = eventLabels[event]
  return {
    at: at.toISOString(),
    words: event === 'answered' && sub_state ? `Status from the network: ${maskNumbers(sub_state)}` : words,
    detail: [code, message].flatMap((text) => (text ? [maskNumbers(text)] : [])).join(' · '),
    by: presentActor(actor),
    tone,
  }
}
