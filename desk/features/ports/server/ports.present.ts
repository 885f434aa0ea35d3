import { formatNational } from '#kit/contract/phone.ts'
import type { Donor } from '#features/porting/porting.contract.ts'
import { isOver } from '#features/porting/porting.states.ts'
import { askOf } from '#features/porting/server/port-ask.ts'
import type { ListedPort } from '#features/porting/server/port-list.store.ts'
import { lookedAtFrom } from '#features/porting/server/porting-hours.ts'
import type { PortMilestone } from '#features/porting/server/porting-milestones.store.ts'
import type { WholePort } from '#features/porting/server/whole-port.ts'
import { presentActor, presentName } from '#desk/features/customers/server/customers.present.ts'
import { withoutNumbers } from '#desk/features/orders/server/order-words.present.ts'
import {
  askedFields,
  type DeskPort,
  type DonorCheck,
  type PortAnswers,
  type PortAsked,
  type PortContact,
  type PortRow,
} from '../ports.contract.ts'
import { copyForCarrier } from './carrier-copy.present.ts'
import { codeOf, declineOf, endOf, eventWords, type PortRules, standingOf, textOf } from './port-words.present.ts'
import type { PortOwner } from './port-owners.store.ts'
import type { ListedRow } from './ports.view.ts'
import { presentStages } from './stages.present.ts'

const numberOf = (msisdn: string): string => (msisdn ? formatNational(msisdn) : 'Forgotten')

/** Seconds until the transfer ended. With `waits`, a failed transfer counts until now, because it awaits the desk. */
const secondsOf = (port: ListedPort, now: Temporal.Instant, waits = false): number => {
  const end = !waits && port.ended_at ? port.ended_at.getTime() : now.epochMilliseconds
  return Math.max(0, Math.round((end - port.created_at.getTime()) / 1_000))
}

type Now = { now: Temporal.Instant; milestones: readonly PortMilestone[] }

/** A transfer as a work list shows it. The customer's name is unmasked, because the row is the reason for showing it. */
export function presentPortRow(
  rules: PortRules,
  row: ListedRow,
  { waits, staffId, ...known }: Now & { waits: boolean; staffId: string },
): PortRow {
  const { first_name, last_name, user_erased_at: erased } = row
  return {
    reference: row.external_id,
    number: numberOf(row.msisdn),
    from: row.donor_name,
    name: erased ? 'Erased customer' : `${first_name} ${last_name}`.trim(),
    standing: standingOf(rules, row, known),
    created: row.created_at.toISOString(),
    seconds: secondsOf(row, known.now, waits),
    owner: row.owner_id && row.owner !== null ? presentOwner({ id: row.owner_id, name: row.owner }, staffId) : null,
    act: askOf(rules, row, known)?.act ?? null,
  }
}

const presentOwner = ({ id, name }: PortOwner, staffId: string) => ({ name, is_own: id === staffId })

type Beside = {
  now: Temporal.Instant
  orderCode: string | null
  donors: Donor[]
  staffId: string
  owner: PortOwner | null
  donor: DonorCheck
  contact: PortContact | null
  correctWhy: string | null
  cancelWhy: string | null
}

/** The request's data are unmasked, because the person who corrects the request has to see them. */
export function presentPort(rules: PortRules, whole: WholePort, beside: Beside): DeskPort {
  const { port, service, user, requests, events, milestones } = whole
  const { now } = beside
  const [latest] = requests
  return {
    now: now.toString({ fractionalSecondDigits: 3 }),
    reference: port.external_id,
    number: numberOf(port.msisdn),
    from: port.donor_name,
    standing: standingOf(rules, port, { milestones, now }),
    created: port.created_at.toISOString(),
    ended: port.ended_at?.toISOString() ?? null,
    seconds: secondsOf(port, now),
    next_try: isOver(port.status) ? null : (port.retry_at?.toISOString() ?? null),
    customer: {
      id: user?.id ?? null,
      name: user ? presentName(user) : '',
      number: service ? formatNational(service.msisdn) : '',
    },
    order_code: beside.orderCode,
    stages: presentStages(rules, whole),
    decline: declineOf(rules, port),
    requests: presentRequests(rules, requests),
    events: events.map((event) => presentEvent(event)),
    answers: answersOf(port),
    donors: beside.donors.map(({ id, name }) => ({ id, name })),
    looked_at_from: textOf(lookedAtFrom(now, rules.market)),
    owner: beside.owner && presentOwner(beside.owner, beside.staffId),
    donor: beside.donor,
    contact: beside.contact,
    later: latest && latest.id !== port.id ? latest.external_id : null,
    correct_why: beside.correctWhy,
    cancel_why: beside.cancelWhy,
    for_carrier: copyForCarrier(whole),
  }
}

const answersOf = (port: ListedPort): PortAnswers => ({
  msisdn: port.msisdn && formatNational(port.msisdn),
  provider: port.provider_id,
  billing_method: port.billing_method,
  prepaid_sim_number: port.prepaid_sim_number ?? '',
  account_number: port.account_number ?? '',
})

function presentRequests(rules: PortRules, newestFirst: readonly ListedPort[]): PortAsked[] {
  const oldestFirst = newestFirst.toReversed()
  return oldestFirst.map((port, index) => {
    const [answers, before] = [answersOf(port), oldestFirst[index - 1]]
    const sentBefore = before && answersOf(before)
    const { words, tone } = isOver(port.status) ? endOf(rules, port) : { words: 'In progress', tone: 'plain' as const }
    return {
      reference: port.external_id,
      created: port.created_at.toISOString(),
      words,
      tone,
      code: codeOf(port),
      from: port.donor_name,
      answers,
      changed: sentBefore ? askedFields.filter((field) => answers[field] !== sentBefore[field]) : [],
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
}: WholePort['events'][number]): DeskPort['events'][number] {
  const { words, tone } = eventWords[event]
  return {
    at: at.toISOString(),
    words: event === 'answered' && sub_state ? `Status from the network: ${withoutNumbers(sub_state)}` : words,
    detail: [code, message].flatMap((text) => (text ? [withoutNumbers(text)] : [])).join(' · '),
    by: presentActor(actor),
    tone,
  }
}
