import { weekdayNames } from '#kit/contract/dates.ts'
import { centsToDecimal } from '#kit/contract/money.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { parseStaffId, isLeadTaskKind } from '#features/operator-tasks/server/lead-tasks.store.ts'
import type { TaskKind } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { estimateDaysLeft } from '#desk/features/stock/server/stock.view.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { type Figures, type OpenTasks, type ProviderStatus, type Task, todayMessages } from '../today.contract.ts'
import { type Day, getMinuteOfDay, sumMinuteFigures } from './minute-figures.ts'
import type { TodayCounts } from './figures.ts'
import { halfHours, type ProviderState } from './provider-states.view.ts'
import type { ListedTask } from './tasks.view.ts'

export function presentTodayFigures(counts: TodayCounts, zone: string, hasSums: boolean): Figures {
  const { present, beforeMinutes, today, before } = counts
  const now = sumMinuteFigures(present.minutes)
  const weekAgoFigures = sumMinuteFigures(beforeMinutes, getMinuteOfDay(before, before.now))
  return {
    at: Temporal.Instant.from(present.at).toString({ smallestUnit: 'second' }),
    weekday: weekdayNames[today.begins.dayOfWeek % 7] ?? '',
    activated: { now: now.activated, before: weekAgoFigures.activated },
    renewed: { now: now.renewed, before: weekAgoFigures.renewed, by_themselves: now.by_themselves },
    money: hasSums
      ? {
          taken: centsToDecimal(now.taken_cents),
          taken_before: centsToDecimal(weekAgoFigures.taken_cents),
          given: centsToDecimal(now.given_cents),
        }
      : null,
    payments: {
      asked: now.asked,
      refused: now.refused,
      asked_before: weekAgoFigures.asked,
      refused_before: weekAgoFigures.refused,
    },
    transfers: { open: present.transfers.open, late: present.transfers.late },
    hours: countByHour(counts, zone),
    refusals: present.refusals.map(({ refusal, times }) => ({
      why: refusal.replace(/^Refused: /, '').slice(0, 60),
      times,
    })),
    stock: presentStock(present.stock),
    jobs: present.jobs && { oldest_seconds: present.jobs.oldestSeconds },
  }
}

const maxStockRows = 6

function presentStock(stock: TodayCounts['present']['stock']): Figures['stock'] {
  const getSortKey = (each: Figures['stock'][number]): number => (each.plan === null ? -1 : (each.days ?? Infinity))
  return stock
    .map(({ plan, ...left }) => ({ plan, unused: left.unused, days: estimateDaysLeft(left) }))
    .toSorted((one, other) => (getSortKey(one) < getSortKey(other) ? -1 : getSortKey(one) > getSortKey(other) ? 1 : 0))
    .slice(0, maxStockRows)
}

/** Returns the figures for each hour of the day in the market's time zone. When the clocks change, one entry covers two hours or none. */
function countByHour({ present, today, before, beforeMinutes }: TodayCounts, zone: string): Figures['hours'] {
  const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, renewed: 0, activated: 0, before: 0 }))
  const findHour = ({ begins }: Day, minute: number) => hours[begins.add({ minutes: minute }).withTimeZone(zone).hour]
  for (const { minute, renewed, activated } of present.minutes) {
    const hour = findHour(today, minute)
    if (hour) Object.assign(hour, { renewed: hour.renewed + renewed, activated: hour.activated + activated })
  }
  for (const { minute, renewed, activated } of beforeMinutes) {
    const hour = findHour(before, minute)
    if (hour) hour.before += renewed + activated
  }
  return hours
}

export function presentProvider({ halves, notice, ...run }: ProviderState): ProviderStatus {
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

const taskTypeLabels: Record<TaskKind, string> = {
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
  folder: 'Catalogue folder',
  outage: 'Outage',
  clock: 'Clock',
  'alarm-looks': 'Many customers viewed',
  'alarm-own': 'Own or colleague’s account viewed',
  'alarm-shown': 'Many details revealed',
  'alarm-passkey': 'New passkey',
  look: 'Random check',
}

export const presentTaskCount = ({ kind, count }: { kind: TaskKind; count: number }): OpenTasks['kinds'][number] => ({
  kind,
  words: taskTypeLabels[kind],
  count,
})

const secondsSince = (then: Date): number =>
  Math.max(0, Math.round((realNow().epochMilliseconds - then.getTime()) / 1_000))

const canSeeCustomers = ({ roles }: SignedInStaff): boolean => roles.includes('support') || roles.includes('finance')

function presentLeadFields({ kind, subject }: ListedTask, { id }: SignedInStaff) {
  const isLeadTask = isLeadTaskKind(kind)
  const concernedStaffId = isLeadTask ? parseStaffId(subject) : null
  return {
    for_leads: isLeadTask,
    why_not: concernedStaffId === id ? todayMessages.own : null,
    trail_of: concernedStaffId,
  }
}

export function presentTask(task: ListedTask, staff: SignedInStaff): Task {
  const { due_at: due, owner, reason } = task
  const isOpen = canSeeCustomers(staff)
  const name = task.order_name ?? ([task.first_name, task.last_name].filter(Boolean).join(' ') || null)
  return {
    id: task.id,
    kind: task.kind,
    kind_words: taskTypeLabels[task.kind],
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
    ...presentLeadFields(task, staff),
  }
}
