import type { DeskIconName } from '#kit/web/desk/DeskIcon.tsx'
import type { Role, Staff } from '#desk/features/staff/staff.contract.ts'
import type { Waits } from '#desk/features/waits/waits.contract.ts'

/** A place in the desk's menu. One whose path has no page yet is not shown. */
export type Place = {
  path: string
  title: string
  /** Below its icon on a phone, where there is room for four. */
  short?: string
  icon: DeskIconName
  /** Who sees it; everybody, if it does not say. */
  roles?: readonly Role[]
  /** The beginnings of other pages that belong to it. */
  below?: readonly string[]
  /** Only leads see it. */
  isForLeads?: true
  /** After G, this key leads there. */
  key: string
  /** How much waits there. */
  count?(waits: Waits): number | null
  /** Stands apart from the day's work. */
  isApart?: true
}

export const places: readonly Place[] = [
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

/** There is room for so many at the bottom of a phone. */
export const mostOnPhone = 4

/** Whether a place is for a person. An admin who is a lead, too, goes by the audit to what is below it. */
export const isFor = ({ roles, isForLeads }: Place, me: Pick<Staff, 'roles' | 'is_lead'>): boolean =>
  isForLeads ? me.is_lead && !me.roles.includes('admin') : !roles || roles.some((role) => me.roles.includes(role))

/** Whether a page belongs to a place. */
export const isAt = ({ path, below = [] }: Place, here: string): boolean =>
  here === path || [...(path === '/' ? [] : [path]), ...below].some((beginning) => here.startsWith(beginning))
