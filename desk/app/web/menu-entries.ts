import type { DeskIconName } from '#kit/web/desk/DeskIcon.tsx'
import type { Staff, StaffGroup } from '#desk/features/staff/staff.contract.ts'
import { isInAnyGroup } from '#desk/features/staff/web/me.queries.ts'
import type { Counters } from '#desk/features/counters/counters.contract.ts'

export type MenuEntry = {
  path: string
  title: string
  short?: string
  icon: DeskIconName
  /** The groups that see this menu entry. If omitted, all staff see it. */
  groups?: readonly StaffGroup[]
  /** Hides the menu entry from admins. The audit page links to it for those who may open it. */
  isHiddenFromAdmins?: true
  /** Further path prefixes under which this menu entry is marked as current. */
  below?: readonly string[]
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
    groups: ['support', 'finance'],
    below: ['/customers/'],
    key: 'c',
  },
  { path: '/orders/', title: 'Orders', icon: 'receipt', groups: ['support', 'finance'], key: 'o' },
  { path: '/ports/', title: 'Ports', icon: 'swap', groups: ['support'], key: 'p', count: ({ ports }) => ports },
  {
    path: '/money/',
    title: 'Money',
    icon: 'card',
    groups: ['finance'],
    key: 'm',
    count: ({ disputes }) => disputes,
  },
  { path: '/messages/', title: 'Messages', icon: 'mail', groups: ['support', 'finance'], key: 'e' },
  { path: '/health/', title: 'Health', icon: 'pulse', key: 'h' },
  { path: '/stock/', title: 'Stock', icon: 'box', key: 's' },
  { path: '/catalogue/', title: 'Catalogue', icon: 'tag', groups: ['admin', 'finance'], key: 'k' },
  {
    path: '/team/',
    title: 'Team and audit',
    short: 'Team',
    icon: 'shield',
    groups: ['admin', 'lead'],
    below: ['/audit/', '/limits/'],
    key: 'a',
    isApart: true,
  },
  {
    path: '/audit/checks/',
    title: 'Random checks',
    short: 'Checks',
    icon: 'shield',
    groups: ['lead'],
    isHiddenFromAdmins: true,
    key: 'r',
  },
]

export const maxMobileMenuEntries = 4

export const canSeeEntry = ({ groups, isHiddenFromAdmins }: MenuEntry, me: Staff): boolean =>
  (!groups || isInAnyGroup(me, groups)) && !(isHiddenFromAdmins && me.roles.includes('admin'))

/** Returns the menu entry to which a page belongs: the one with the longest matching path. */
export const findCurrentEntry = (entries: readonly MenuEntry[], here: string): MenuEntry | null =>
  entries
    .map((entry) => ({ entry, length: getMatchLength(entry, here) }))
    .filter(({ length }) => length > 0)
    .toSorted((one, other) => other.length - one.length)[0]?.entry ?? null

function getMatchLength({ path, below = [] }: MenuEntry, here: string): number {
  if (here === path) return path.length
  const prefixes = [...(path === '/' ? [] : [path]), ...below]
  return Math.max(0, ...prefixes.filter((prefix) => here.startsWith(prefix)).map((prefix) => prefix.length))
}
