import type { DeskIconName } from '#kit/web/desk/DeskIcon.tsx'
import type { Role, Staff } from '#desk/features/staff/staff.contract.ts'
import type { Counters } from '#desk/features/counters/counters.contract.ts'

export type MenuEntry = {
  path: string
  title: string
  short?: string
  icon: DeskIconName
  /** The roles that see this menu entry. If omitted, all staff see it. */
  roles?: readonly Role[]
  /** Further path prefixes under which this menu entry is marked as current. */
  below?: readonly string[]
  isForLeads?: true
  /** The key to press after G to open this page. */
  key: string
  count?(waits: Counters): number | null
  isApart?: true
}

export const menuEntries: readonly MenuEntry[] = [
  { path: '/', title: 'Today', icon: 'home', key: 't', count: ({ tasks, approvals }) => tasks + approvals },
  {
    path: '/find/',
    title: 'Customers',
    short: 'Find',
    icon: 'user',
    roles: ['support', 'finance'],
    below: ['/customers/'],
    key: 'c',
  },
  { path: '/orders/', title: 'Orders', icon: 'receipt', roles: ['support', 'finance'], key: 'o' },
  { path: '/ports/', title: 'Ports', icon: 'swap', roles: ['support'], key: 'p', count: ({ ports }) => ports },
  {
    path: '/money/',
    title: 'Money',
    icon: 'card',
    roles: ['finance'],
    key: 'm',
    count: ({ disputes }) => disputes,
  },
  { path: '/messages/', title: 'Messages', icon: 'mail', roles: ['support', 'finance'], key: 'e' },
  { path: '/health/', title: 'Health', icon: 'pulse', key: 'h' },
  { path: '/stock/', title: 'Stock', icon: 'box', key: 's' },
  { path: '/catalogue/', title: 'Catalogue', icon: 'tag', roles: ['admin', 'finance'], key: 'k' },
  {
    path: '/team/',
    title: 'Team and audit',
    short: 'Team',
    icon: 'shield',
    roles: ['admin'],
    below: ['/audit/', '/limits/'],
    key: 'a',
    isApart: true,
  },
  {
    path: '/audit/checks/',
    title: 'Random checks',
    short: 'Checks',
    icon: 'shield',
    isForLeads: true,
    key: 'r',
    isApart: true,
  },
]

export const maxPhoneEntries = 4

/**
 * Whether a staff member sees a menu entry. An admin who is also a team lead does not see the team leads' entries,
 * because the audit page links to those pages.
 */
export const canSeeEntry = ({ roles, isForLeads }: MenuEntry, me: Pick<Staff, 'roles' | 'is_lead'>): boolean =>
  isForLeads ? me.is_lead && !me.roles.includes('admin') : !roles || roles.some((role) => me.roles.includes(role))

export const isCurrentEntry = ({ path, below = [] }: MenuEntry, here: string): boolean =>
  here === path || [...(path === '/' ? [] : [path]), ...below].some((beginning) => here.startsWith(beginning))
