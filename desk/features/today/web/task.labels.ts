import type { DeskIconName } from '#kit/web/desk/DeskIcon.tsx'
import type { Tone } from '#kit/web/desk/tone.ts'
import type { Staff } from '#desk/features/staff/staff.contract.ts'
import { hasRole } from '#desk/features/staff/web/me.queries.ts'
import type { Task } from '../today.contract.ts'

const icons: Record<string, { icon: DeskIconName; tone: Tone }> = {
  payment: { icon: 'card', tone: 'bad' },
  dispute: { icon: 'card', tone: 'bad' },
  refund: { icon: 'card', tone: 'warn' },
  finding: { icon: 'receipt', tone: 'warn' },
  order: { icon: 'clock', tone: 'warn' },
  network: { icon: 'pulse', tone: 'bad' },
  outage: { icon: 'pulse', tone: 'bad' },
  port: { icon: 'swap', tone: 'warn' },
  release: { icon: 'sim', tone: 'plain' },
  stock: { icon: 'box', tone: 'plain' },
  catalogue: { icon: 'receipt', tone: 'warn' },
  folder: { icon: 'receipt', tone: 'warn' },
  message: { icon: 'mail', tone: 'plain' },
  clock: { icon: 'clock', tone: 'bad' },
  'alarm-looks': { icon: 'shield', tone: 'bad' },
  'alarm-own': { icon: 'shield', tone: 'bad' },
  'alarm-shown': { icon: 'shield', tone: 'bad' },
  'alarm-passkey': { icon: 'shield', tone: 'warn' },
  look: { icon: 'shield', tone: 'warn' },
}

export function taskIcon({ kind, is_late: isLate }: Task): { icon: DeskIconName; tone: Tone } {
  const { icon, tone } = icons[kind] ?? { icon: 'note', tone: 'plain' }
  return { icon, tone: isLate ? 'bad' : tone }
}

export function getTaskPath(
  { order, port, customer_id: customer, trail_of: person, kind }: Task,
  me: Staff | null,
): string | null {
  if (kind === 'look') return hasRole(me, ['support', 'finance']) ? '/audit/checks/' : null
  if (kind === 'catalogue' || kind === 'folder') return '/catalogue/'
  if (person) return `/audit/?of=looks&person=${person}`
  if (port) return `/ports/${port}/`
  if (order) return `/orders/${order}/`
  if (customer) return `/customers/${customer}/`
  return kind === 'message' && hasRole(me, ['support', 'finance']) ? '/messages/' : null
}

export const canTakeTask = ({ owner, why_not: whyNot }: Task): boolean => owner === null && whyNot === null

export const formatTaskCount = (count: number): string => `${count} ${count === 1 ? 'task' : 'tasks'}`
