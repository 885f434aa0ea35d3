import { weekdayNames } from '#kit/contract/dates.ts'
import { toWire } from '#kit/contract/money.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { concernedIn, isLeadKind } from '#features/operator-tasks/server/lead-tasks.store.ts'
import type { TaskKind } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { daysLeft } from '#desk/features/stock/server/stock.view.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { type Figures, type Run, type Task, todayMessages } from '../today.contract.ts'
import { type Day, minuteIn, sumOf } from './days.ts'
import type { Counts } from './figures.ts'
import { halfHours, type RunOf } from './runs.view.ts'
import type { ListedTask } from './tasks.view.ts'

export function presentFigures(counts: Counts, zone: string, hasSums: boolean): Figures {
  const { present, beforeMinutes, today, before } = counts
  const now = sumOf(present.minutes)
  const then = sumOf(beforeMinutes, minuteIn(before, before.now))
  return {
    at: Temporal.Instant.from(present.at).toString({ smallestUnit: 'second' }),
    weekday: weekdayNames[today.begins.dayOfWeek % 7] ?? '',
    activated: { now: now.activated, before: then.activated },
    renewed: { now: now.renewed, before: then.renewed, by_themselves: now.by_themselves },
    money: hasSums
      ? {
          taken: toWire(now.taken_cents),
          taken_before: toWire(then.taken_cents),
          given: toWire(now.given_cents),
        }
      : null,
    payments: {
      asked: now.asked,
      refused: now.refused,
      asked_before: then.asked,
      refused_before: then.refused,
    },
    transfers: { open: present.transfers.open, late: present.transfers.late },
    hours: hoursOf(counts, zone),
    refusals: present.refusals.map(({ refusal, times }) => ({
      why: refusal.replace(/^Refused: /, '').slice(0, 60),
      times,
    })),
    stock: stockOf(present.stock),
    jobs: present.jobs && { oldest_seconds: present.jobs.oldestSeconds },
  }
}

const mostStock = 6

function stockOf(stock: Counts['present']['stock']): Figures['stock'] {
  const lasts = (each: Figures['stock'][number]): number => (each.plan === null ? -1 : (each.days ?? Infinity))
  return stock
    .map(({ plan, ...left }) => ({ plan, unused: left.unused, days: daysLeft(left) }))
    .toSorted((one, other) => (lasts(one) < lasts(other) ? -1 : lasts(one) > lasts(other) ? 1 : 0))
    .slice(0, mostStock)
}

/** Each hour of the day in the market's zone. When the clocks change, one entry has two hours or none. */
function hoursOf({ present, today, before, beforeMinutes }: Counts, zone: string): Figures['hours'] {
  const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, renewed: 0, activated: 0, before: 0 }))
  const hourIn = ({ begins }: Day, minute: number) => hours[begins.add({ minutes: minute }).withTimeZone(zone).hour]
  for (const { minute, renewed, activated } of present.minutes) {
    const hour = hourIn(today, minute)
    if (hour) Object.assign(hour, { renewed: hour.renewed + renewed, activated: hour.activated + activated })
  }
  for (const { minute, renewed, activated } of beforeMinutes) {
    const hour = hourIn(before, minute)
    if (hour) hour.before += renewed + activated
  }
  return hours
}

export function presentRun({ halves, notice, ...run }: RunOf): Run {
  const slots = Array.from({ length: halfHours }, (_, at) => {
    const { ok = 0, slow = 0, failed = 0 } = halves.find((half) => half.at === at) ?? {}
    return { ok: ok - slow, slow, failed }
  })
  const last = halves.toSorted((one, other) => one.at - other.at).at(-1)
  return {
    service: run.service,
    words: run.words,
    failing_since: run.failingSince?.toISOString() ?? null,
    failures: run.failures,
    last_failure: run.lastFailureAt?.toISOString() ?? null,
    slots,
    p95_ms: last?.p95 ?? null,
    notice: { kind: notice.kind, is_said: notice.isSaid },
  }
}

const kindWords: Record<TaskKind, string> = {
  order: 'Order',
  payment: 'Payment',
  network: 'Network',
  refund: 'Refund',
  dispute: 'Chargeback',
  finding: 'Reconciliation',
  port: 'Transfer',
  release: 'Number',
  message: 'Message',
  stock: 'Stock',
  catalogue: 'Catalogue',
  folder: 'Catalogue',
  outage: 'Outage',
  clock: 'Clock',
  'alarm-looks': 'Many customers viewed',
  'alarm-own': 'Own or colleague’s account',
  'alarm-shown': 'Many details uncovered',
  'alarm-passkey': 'New passkey',
  look: 'Random check',
}

const secondsSince = (then: Date): number =>
  Math.max(0, Math.round((realNow().epochMilliseconds - then.getTime()) / 1_000))

const seesCustomers = ({ roles }: SignedInStaff): boolean => roles.includes('support') || roles.includes('finance')

function presentLeads({ kind, subject }: ListedTask, { id, roles }: SignedInStaff) {
  const isOfLeads = isLeadKind(kind)
  const concerned = isOfLeads ? concernedIn(subject) : null
  return {
    for_leads: isOfLeads,
    why_not: concerned === id ? todayMessages.own : null,
    trail_of: roles.includes('admin') ? concerned : null,
  }
}

export function presentTask(task: ListedTask, staff: SignedInStaff): Task {
  const { due_at: due, owner, reason } = task
  const isOpen = seesCustomers(staff)
  const name = task.order_name ?? ([task.first_name, task.last_name].filter(Boolean).join(' ') || null)
  return {
    id: task.id,
    kind: task.kind,
    kind_words: kindWords[task.kind],
    reason: reason.charAt(0).toUpperCase() + reason.slice(1),
    created: task.created_at.toISOString(),
    age_seconds: secondsSince(task.created_at),
    due: due?.toISOString() ?? null,
    is_late: due !== null && due < toDate(realNow()),
    owner: owner === null ? null : { name: owner, is_own: task.owner_id === staff.id },
    order: isOpen ? task.order_code : null,
    customer_id: isOpen ? task.subject_user_id : null,
    port: task.kind === 'port' && staff.roles.includes('support') ? task.subject : null,
    name: isOpen ? name : null,
    ...presentLeads(task, staff),
  }
}
